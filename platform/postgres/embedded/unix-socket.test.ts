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

it('finds a folder that can hold one, and leaves nothing there', async () => {
  expect(await canHoldSocket(folder)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

it('finds one whose path is too long', async () => {
  const long = join(folder, 'x'.repeat(100));
  await mkdir(long);
  expect(await canHoldSocket(long)).toBe(false);
});

it('finds one that is not there', async () => {
  expect(await canHoldSocket(join(folder, 'missing'))).toBe(false);
});

it('keeps all else of a URL', () => {
  expect(socketUrl('postgresql://a:b%2F@127.0.0.1:5432/c?sslmode=disable', '/d e')).toBe(
    'postgresql://a:b%2F@127.0.0.1:5432/c?sslmode=disable&host=%2Fd+e',
  );
});
