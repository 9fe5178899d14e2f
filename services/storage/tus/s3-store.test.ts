import { randomBytes } from 'node:crypto';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { openS3Store } from '../store/s3.ts';
import { startS3Server, type TestS3Server } from '../store/testing/s3-server.ts';
import { StorageServer } from '../testing/storage-server.ts';

const MEGABYTE = 1024 * 1024;
const BYTES = 14 * MEGABYTE;

let server: TestS3Server;
let store: ObjectStore;
let storage: StorageServer;
beforeAll(async () => {
  server = await startS3Server();
  store = openS3Store(server.config);
  storage = await StorageServer.open({
    store,
    sql: `insert into storage.buckets (id, name) values ('files', 'files')`,
  });
});
afterAll(async () => {
  await storage.close();
  await store.close();
  await server.close();
});

/** Uploads all bytes, or until `until` bytes are stored. Returns the upload's URL. */
function upload(bytes: Buffer, key: string, options: Partial<UploadOptions> & { until?: number } = {}) {
  const { until = Number.POSITIVE_INFINITY, ...rest } = options;
  return new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${storage.url}/upload/resumable`,
      headers: { authorization: `Bearer ${storage.apiKeys.serviceRole}` },
      chunkSize: 6 * MEGABYTE,
      retryDelays: null,
      metadata: { bucketName: 'files', objectName: key, contentType: 'video/mp4' },
      onChunkComplete: (_size, accepted) => {
        if (accepted < until) return;
        void upload.abort().then(() => resolve(upload.url ?? ''), reject);
      },
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
      ...rest,
    });
    upload.start();
  });
}

async function download(key: string): Promise<Buffer> {
  const response = await fetch(`${storage.url}/object/files/${key}`, {
    headers: { authorization: `Bearer ${storage.apiKeys.serviceRole}` },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Content and unfinished uploads in the store. */
async function stored(): Promise<number> {
  let count = 0;
  for await (const batch of store.list(new Date(Date.now() + 60_000))) count += batch.length;
  return count;
}

it.each([
  ['chunks as large as its parts', 6 * MEGABYTE],
  ['chunks that are too small for parts', 2.5 * MEGABYTE],
  ['one piece', Number.POSITIVE_INFINITY],
])('stores an upload in %s', async (name, chunkSize) => {
  const key = encodeURIComponent(name).replaceAll('%20', '-');
  const before = await stored();
  const bytes = randomBytes(BYTES);
  await upload(bytes, key, { chunkSize });
  expect((await download(key)).equals(bytes)).toBe(true);
  expect(await stored()).toBe(before + 1);
});

it('resumes an upload later', async () => {
  const bytes = randomBytes(BYTES);
  const uploadUrl = await upload(bytes, 'later', { until: 6 * MEGABYTE });
  await upload(bytes, 'later', { uploadUrl });
  expect((await download('later')).equals(bytes)).toBe(true);
});

it('finishes a complete upload with the next attempt', async () => {
  const bytes = randomBytes(BYTES);
  const uploadUrl = await upload(bytes, 'whole', { until: 6 * MEGABYTE });
  await storage.run(`
    create function public.fail() returns trigger language plpgsql as
      'begin if new.version <> ''1'' then raise exception ''no''; end if; return new; end';
    create trigger fail before insert on storage.objects for each row execute function public.fail();
  `);
  await expect(upload(bytes, 'whole', { uploadUrl })).rejects.toThrow();
  await storage.run('drop trigger fail on storage.objects; drop function public.fail()');
  await upload(bytes, 'whole', { uploadUrl, chunkSize: 5 * MEGABYTE });
  expect((await download('whole')).equals(bytes)).toBe(true);
});

it('removes all bytes of a terminated upload', async () => {
  const before = await stored();
  const uploadUrl = await upload(randomBytes(BYTES), 'never', { until: 6 * MEGABYTE });
  await Upload.terminate(uploadUrl, {
    headers: { authorization: `Bearer ${storage.apiKeys.serviceRole}` },
  });
  expect(await stored()).toBe(before);
});
