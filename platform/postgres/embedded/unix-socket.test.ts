import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canHoldSocket, socketUrl } from './unix-socket.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-socket-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('accepts a folder that can hold a socket, and leaves no file in it', async () => {
  expect(await canHoldSocket(folder)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

it('rejects a folder whose path is too long', async () => {
  const long = join(folder, 'x'.repeat(100));
  await mkdir(long);
  expect(await canHoldSocket(long)).toBe(false);
});

it('rejects a missing folder', async () => {
  expect(await canHoldSocket(join(folder, 'missing'))).toBe(false);
});

it('keeps the other parts of a URL', () => {
  expect(socketUrl('postgresql://a:b%2F@127.0.0.1:5432/c?sslmode=disable', '/d e')).toBe(
    'postgresql://a:b%2F@127.0.0.1:5432/c?sslmode=disable&host=%2Fd+e',
  );
});
