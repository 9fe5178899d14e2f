/**
 * Tests keys with the segments `.` and `..` on every route: nothing outside of the bucket is read, written or removed.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendSigned } from './s3/testing/signed-request.ts';
import { openDiskStore } from './store/disk.ts';
import { StorageServer } from './testing/storage-server.ts';

const SECRET = 'the content of a file outside the store';
const KEYS = [
  '..',
  '.',
  '../secret.txt',
  '../../secret.txt',
  'a/../../../secret.txt',
  './there.txt',
  'a/./b',
  'a/..',
  '../other/there.txt',
];

let folder: string;
let server: StorageServer;
let filesBefore: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-dots-'));
  await mkdir(join(folder, 'store'));
  await writeFile(join(folder, 'secret.txt'), SECRET);
  const store = await openDiskStore(join(folder, 'store'));
  server = await StorageServer.open({ store });
  for (const name of ['b', 'other']) await server.request('POST /bucket', { body: { name, public: true } });
  for (const bucket of ['b', 'other'])
    await server.request(`POST /object/${bucket}/there.txt`, { body: bucket });
  filesBefore = await files();
});
afterEach(async () => {
  await server.contents();
  expect(await files()).toEqual(filesBefore);
  expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe(SECRET);
  const rows = await server.rows<{ id: string }>(
    'select bucket_id || name as id from storage.objects order by 1',
  );
  expect(rows.map(({ id }) => id)).toEqual(['bthere.txt', 'otherthere.txt']);
});
afterAll(async () => {
  await server.close();
  await server.store.close();
  await rm(folder, { recursive: true });
});

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Sends a path unchanged, because `fetch` would resolve its segments. */
async function send(
  target: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  const [method, path] = target.split(/ (.*)/s);
  const { hostname, port, pathname } = new URL(server.url);
  const authorization = `Bearer ${server.apiKeys.serviceRole}`;
  const sending = httpRequest({
    ...{ hostname, port, method, path: pathname + path },
    headers: { authorization, ...(body !== undefined && { 'content-length': body.length }), ...headers },
  });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}

const json = (target: string, body: object) =>
  send(target, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const dotsEncoded = (key: string) => encodeURIComponent(key).replaceAll('.', '%2e');

describe.each(KEYS)('key %s', (key) => {
  const spellings = [key, encodeURIComponent(key), dotsEncoded(key)];

  it.each([
    ['POST /object/b/', 'x'],
    ['PUT /object/b/', 'x'],
    ['POST /object/upload/sign/b/', undefined],
  ])('cannot be created by %s', async (target, body) => {
    for (const path of spellings) {
      const response = await send(target + path, { ...(body && { body }) });
      expect([response.status, response.text]).toEqual([400, expect.stringContaining('"InvalidKey"')]);
    }
  });

  it('cannot be created by a copy, a move, a resumable upload or the S3 protocol', async () => {
    const request = { bucketId: 'b', sourceKey: 'there.txt', destinationKey: key };
    const tus = {
      'tus-resumable': '1.0.0',
      'upload-length': '1',
      'upload-metadata': `bucketName ${btoa('b')},objectName ${btoa(key)}`,
    };
    const responses = [
      await json('POST /object/copy', request),
      await json('POST /object/move', request),
      await send('POST /upload/resumable', { headers: tus }),
      await send('POST /upload/resumable/sign', { headers: tus }),
      await sendSigned(server, `PUT /b/${encodeURIComponent(key)}`, { body: 'x' }),
      await sendSigned(server, `POST /b/${encodeURIComponent(key)}?uploads`),
      await sendSigned(server, `PUT /b/${encodeURIComponent(key)}`, {
        headers: { 'x-amz-copy-source': 'b/there.txt' },
      }),
    ];
    for (const { status, text: responseText } of responses) {
      expect([status, responseText]).toEqual([expect.any(Number), expect.not.stringContaining(SECRET)]);
      expect(status, responseText).toBeGreaterThanOrEqual(400);
      expect(status, responseText).toBeLessThan(500);
    }
  });

  it.each([
    'GET /object/b/',
    'GET /object/public/b/',
    'GET /object/authenticated/b/',
    'GET /object/info/b/',
    'GET /object/info/public/b/',
    'HEAD /object/b/',
    'GET /render/image/public/b/',
    'DELETE /object/b/',
    'GET /s3/b/',
  ])('is not found by %s', async (target) => {
    for (const path of spellings) {
      const response = await send(target + path);
      expect(response.status, response.text).toBeGreaterThanOrEqual(400);
      expect(response.status, response.text).toBeLessThan(500);
      expect(response.text).not.toContain(SECRET);
    }
  });

  it('is not found by signed links, lists, deletions, copies, moves and the S3 protocol', async () => {
    const from = { bucketId: 'b', sourceKey: key, destinationKey: 'new.txt' };
    const source = { 'x-amz-copy-source': `b/${encodeURIComponent(key)}` };
    const refused = [
      await json(`POST /object/sign/b/${encodeURIComponent(key)}`, { expiresIn: 60 }),
      await json('POST /object/copy', from),
      await json('POST /object/move', from),
      await sendSigned(server, `GET /b/${encodeURIComponent(key)}`),
      await sendSigned(server, 'PUT /b/new.txt', { headers: source }),
    ];
    for (const { status, text: responseText } of refused) {
      expect(status, responseText).toBeGreaterThanOrEqual(400);
      expect(status, responseText).toBeLessThan(500);
    }
    const signed = await json('POST /object/sign/b', { paths: [key], expiresIn: 60 });
    expect(JSON.parse(signed.text)).toMatchObject([{ signedURL: null }]);
    for (const [target, body] of [
      ['POST /object/list/b', { prefix: key }],
      ['POST /object/list-v2/b', { prefix: `${key}/` }],
      ['DELETE /object/b', { prefixes: [key, `${key}/there.txt`] }],
    ] as const) {
      const { status, text: responseText } = await json(target, body);
      expect([target, status]).toEqual([target, 200]);
      expect(responseText).not.toContain('there.txt');
    }
  });
});

it('rejects . and .. as bucket names', async () => {
  for (const name of ['.', '..']) {
    const created = await json('POST /bucket', { name });
    expect([created.status, created.text]).toEqual([400, expect.stringContaining('Bucket name invalid')]);
    for (const path of [`${name}/secret.txt`, `%2e%2e/secret.txt`]) {
      expect((await send(`GET /object/public/${path}`)).status).toBe(400);
    }
  }
});
