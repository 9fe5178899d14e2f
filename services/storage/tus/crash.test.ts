import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const PROGRAM = new URL('./testing/storage-process.ts', import.meta.url);
const MEGABYTE = 1024 * 1024;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.admin.query({
    text: `insert into storage.buckets (id, name) values ('files', 'files')`,
  });
  folder = await mkdtemp(join(tmpdir(), 'greenroom-tus-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
  await rm(folder, { recursive: true });
});

const children: ChildProcess[] = [];

async function start(): Promise<{ child: ChildProcess; url: string; headers: Record<string, string> }> {
  const child = fork(PROGRAM, [database.storageUrl, folder, TEST_JWT_SECRET], { execArgv: [] });
  children.push(child);
  const [{ url, token }] = (await once(child, 'message')) as [{ url: string; token: string }];
  return { child, url, headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' } };
}

/** Names of stored and incoming content. */
async function files(): Promise<string[]> {
  const folders = ['incoming', 'objects'].map((name) => join(folder, name));
  const found = folders.map((path) => readdir(path, { recursive: true, withFileTypes: true }));
  return (await Promise.all(found))
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

it('an upload continues at its offset after the process was killed', {
  timeout: 300_000,
  tags: ['trial'],
}, async () => {
  const bytes = randomBytes(15 * MEGABYTE);
  const first = await start();
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const created = await fetch(`${first.url}/upload/resumable`, {
    method: 'POST',
    headers: {
      ...first.headers,
      'upload-length': String(bytes.length),
      'upload-metadata': `bucketName ${encoded('files')},objectName ${encoded('a.bin')}`,
    },
  });
  const [, path = ''] = created.headers.get('location')?.split('/storage/v1') ?? [];

  const patch = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  // Sends most of the bytes and then stalls, so that the process is killed in the middle of a request.
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.subarray(0, 8 * MEGABYTE)),
  });
  const broken = fetch(first.url + path, {
    method: 'PATCH',
    headers: { ...first.headers, ...patch },
    body,
    duplex: 'half',
  } as RequestInit);
  broken.catch(() => undefined);
  const received = async () => {
    const [row] = await database.admin.query<{ received: number }>({
      text: 'select received::int as received from storage.resumable_uploads',
    });
    return row?.received ?? 0;
  };
  await vi.waitUntil(async () => (await received()) > 0, { timeout: 120_000 });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await expect(broken).rejects.toThrow();

  const second = await start();
  const head = await fetch(second.url + path, { method: 'HEAD', headers: second.headers });
  const offset = Number(head.headers.get('upload-offset'));
  expect(head.status).toBe(200);
  expect(offset).toBe(await received());
  expect(offset).toBeGreaterThan(0);

  const finished = await fetch(second.url + path, {
    method: 'PATCH',
    headers: { ...second.headers, ...patch, 'upload-offset': String(offset) },
    body: bytes.subarray(offset),
  });
  expect([finished.status, finished.headers.get('tus-complete')]).toEqual([204, '1']);
  const download = await fetch(`${second.url}/object/files/a.bin`, { headers: second.headers });
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);

  // Content whose write was interrupted is in quarantine after one more start.
  second.child.kill('SIGKILL');
  await once(second.child, 'exit');
  const third = await start();
  const [row] = await database.admin.query<{ version: string }>({
    text: 'select version from storage.objects',
  });
  expect(await files()).toEqual([row?.version]);
  third.child.kill('SIGKILL');
  const content = (await readdir(folder, { recursive: true })).find((name) =>
    name.endsWith(row?.version ?? ''),
  );
  expect((await readFile(join(folder, content ?? ''))).equals(bytes)).toBe(true);
});
