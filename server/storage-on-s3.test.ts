/** A whole instance whose objects are in an S3 store, which is the S3 protocol of storage running alone. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { readInstanceRecord } from '@greenroom/data-folder';
import { openDatabase } from '@greenroom/postgres';
import { createTestDatabase, freePort, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Config, loadConfig } from './settings.ts';
import { type Standalone, startStandalone } from './standalone.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const MEBIBYTE = 1024 * 1024;
const BUCKET = 'things';
const STORE_BUCKET = 'content';
const STORE_KEYS = { accessKeyId: 'store-key', secretAccessKey: 'store-secret' };
const OWN_KEYS = { accessKeyId: 'own-key', secretAccessKey: 'own-secret' };
/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let folder: string;
let database: TestDatabase;
let store: Standalone;
let storeClient: S3Client;
let config: Config;
let instance: Greenroom;
let key: string;
let client: SupabaseClient;
let s3: S3Client;

const clientOf = (url: string, credentials: typeof OWN_KEYS) =>
  new S3Client({
    endpoint: `${url}/storage/v1/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    maxAttempts: 1,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-on-s3-'));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
  store = await startStandalone(
    'storage',
    loadStandaloneConfig({
      PORT: String(await freePort()),
      DATABASE_URL: database.storageUrl,
      GREENROOM_DATA_DIR: join(folder, 'store'),
      GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
      S3_PROTOCOL_ACCESS_KEY_ID: STORE_KEYS.accessKeyId,
      S3_PROTOCOL_ACCESS_KEY_SECRET: STORE_KEYS.secretAccessKey,
      LOG_LEVEL: 'silent',
    }),
  );
  storeClient = clientOf(store.url, STORE_KEYS);
  await storeClient.send(new CreateBucketCommand({ Bucket: STORE_BUCKET }));
  config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: join(folder, 'own'),
    S3_ENDPOINT: `${store.url}/storage/v1/s3`,
    S3_BUCKET: STORE_BUCKET,
    AWS_ACCESS_KEY_ID: STORE_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: STORE_KEYS.secretAccessKey,
    S3_PROTOCOL_ACCESS_KEY_ID: OWN_KEYS.accessKeyId,
    S3_PROTOCOL_ACCESS_KEY_SECRET: OWN_KEYS.secretAccessKey,
    LOG_LEVEL: 'silent',
  });
  await start();
  expect((await client.storage.createBucket(BUCKET)).error).toBeNull();
}, 120_000);
afterAll(async () => {
  s3?.destroy();
  storeClient?.destroy();
  await instance?.close();
  await store?.close();
  await database?.drop();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  instance = await startGreenroom({ config, pages: 'none' });
  key = instance.backend?.apiKeys.serviceRole ?? '';
  client = createClient(instance.url, key, { auth: { persistSession: false } });
  s3 = clientOf(instance.url, OWN_KEYS);
}

const files = () => client.storage.from(BUCKET);

/** Compares hashes, because the difference of such large values would be unreadable. */
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function hashAt(path: string): Promise<string> {
  const { data, error } = await files().download(path);
  expect(error).toBeNull();
  return hashOf((await data?.bytes()) ?? new Uint8Array());
}

/** Returns the keys in the store, without their version suffixes. */
async function stored(): Promise<string[]> {
  const { Contents = [] } = await storeClient.send(new ListObjectsV2Command({ Bucket: STORE_BUCKET }));
  return Contents.map(({ Key = '' }) => Key.slice(0, Key.lastIndexOf('/')));
}

it.each([
  ['zero bytes', 0],
  ['a few bytes', 100],
  ['more than one part of the store', 9 * MEBIBYTE],
])('content of %s is uploaded, overwritten, and downloaded', async (name, bytes) => {
  const path = `up/${name}.bin`;
  const [before, after] = [randomBytes(bytes + 1), randomBytes(bytes)];
  expect((await files().upload(path, before)).error).toBeNull();
  expect(await hashAt(path)).toBe(hashOf(before));
  expect((await files().update(path, after)).error).toBeNull();
  expect(await hashAt(path)).toBe(hashOf(after));
  const inStore = async () => (await stored()).filter((each) => each === `${BUCKET}/${path}`);
  // The replaced content is removed after the response.
  await expect.poll(inStore).toHaveLength(1);
});

it('a range of the content is downloaded', async () => {
  const bytes = randomBytes(MEBIBYTE);
  await files().upload('range.bin', bytes);
  const response = await fetch(`${instance.url}/storage/v1/object/${BUCKET}/range.bin`, {
    headers: { authorization: `Bearer ${key}`, range: 'bytes=1000-500000' },
  });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes 1000-500000/${MEBIBYTE}`);
  expect(hashOf(await response.bytes())).toBe(hashOf(bytes.subarray(1000, 500_001)));
});

it('an image is rendered', async () => {
  await files().upload('pixel.png', PNG, { contentType: 'image/png' });
  const path = `render/image/authenticated/${BUCKET}/pixel.png?width=20`;
  const response = await fetch(`${instance.url}/storage/v1/${path}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'image/webp' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
});

it('a resumable upload is stored in parts', async () => {
  const bytes = randomBytes(13 * MEBIBYTE);
  await new Promise<void>((resolve, reject) => {
    new Upload(bytes, {
      endpoint: `${instance.url}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${key}` },
      chunkSize: 6 * MEBIBYTE,
      retryDelays: null,
      metadata: { bucketName: BUCKET, objectName: 'resumable.bin' },
      onError: reject,
      onSuccess: () => resolve(),
    }).start();
  });
  expect(await hashAt('resumable.bin')).toBe(hashOf(bytes));
});

it('an upload in parts of the S3 protocol is stored', async () => {
  const target = { Bucket: BUCKET, Key: 'parts.bin' };
  const bodies = [randomBytes(5 * MEBIBYTE), randomBytes(1000)];
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target));
  const Parts = [];
  for (const [index, Body] of bodies.entries()) {
    const part = { PartNumber: index + 1, UploadId };
    const { ETag } = await s3.send(new UploadPartCommand({ ...target, ...part, Body }));
    Parts.push({ PartNumber: index + 1, ETag });
  }
  await s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));
  expect(await hashAt('parts.bin')).toBe(hashOf(Buffer.concat(bodies)));
});

it('content is copied, moved and removed', async () => {
  const bytes = randomBytes(2000);
  await files().upload('first.bin', bytes);
  expect((await files().copy('first.bin', 'second.bin')).error).toBeNull();
  expect((await files().move('first.bin', 'third.bin')).error).toBeNull();
  expect(await hashAt('second.bin')).toBe(hashOf(bytes));
  expect(await hashAt('third.bin')).toBe(hashOf(bytes));
  const { data } = await files().remove(['second.bin', 'third.bin']);
  expect(data).toHaveLength(2);
  const names = ['first.bin', 'second.bin', 'third.bin'].map((name) => `${BUCKET}/${name}`);
  expect((await stored()).filter((each) => names.includes(each))).toEqual([]);
});

/** Makes everything in the store two days old. */
async function age(): Promise<void> {
  await database.admin.query({
    text: `with off as (select set_config('session_replication_role', 'replica', false))
      update storage.objects set created_at = now() - interval '2 days', updated_at = now() - interval '2 days',
        metadata = metadata || jsonb_build_object('lastModified', now() - interval '2 days') from off`,
  });
  await database.admin.query({
    text: `update storage.s3_multipart_uploads set created_at = now() - interval '2 days'`,
  });
}

const quarantined = async () =>
  (await stored()).filter((each) => each.startsWith('.greenroom/quarantine/')).toSorted();

it('content without a row is moved to quarantine at a start if it is a day old', async () => {
  await files().upload('kept.bin', randomBytes(10));
  const version = randomUUID();
  const put = (Key: string) =>
    storeClient.send(new PutObjectCommand({ Bucket: STORE_BUCKET, Key, Body: 'x' }));
  await put(`${BUCKET}/stray.bin/${version}`);
  await put('not of ours.txt');
  const upload = { Bucket: STORE_BUCKET, Key: `${BUCKET}/stray-parts.bin/${randomUUID()}` };
  await storeClient.send(new CreateMultipartUploadCommand(upload));
  await age();
  await put(`${BUCKET}/new.bin/${randomUUID()}`);
  await instance.close();
  await start();
  const moved = [`${BUCKET}/stray-parts.bin`, `${BUCKET}/stray.bin`].map(
    (each) => `.greenroom/quarantine/${each}`,
  );
  await expect.poll(quarantined, { timeout: 20_000 }).toEqual(moved);
  expect(await stored()).not.toContain(`${BUCKET}/stray.bin`);
  expect(await stored()).toEqual(expect.arrayContaining([`${BUCKET}/kept.bin`, `${BUCKET}/new.bin`]));
  expect(await hashAt('kept.bin')).not.toBe('');

  // A row refers to the content again. The upload still exists, and is recorded once.
  const own = openDatabase({ url: instance.backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
  await own.query({
    text: 'insert into storage.objects (bucket_id, name, version) values ($1, $2, $3)',
    values: [BUCKET, 'stray.bin', version],
  });
  await own.close();
  expect(await hashAt('stray.bin')).toBe(hashOf(Buffer.from('x')));
  await instance.close();
  await start();
  await expect.poll(quarantined, { timeout: 20_000 }).toEqual(moved.slice(0, 1));
  expect(await stored()).toContain(`${BUCKET}/stray.bin`);
  expect(await hashAt('stray.bin')).toBe(hashOf(Buffer.from('x')));
  const { Uploads = [] } = await storeClient.send(new ListMultipartUploadsCommand({ Bucket: STORE_BUCKET }));
  expect(Uploads.map(({ Key }) => Key)).toContain(upload.Key);
}, 60_000);

it('the id of the instance is an object that is invisible to clients', async () => {
  expect(await stored()).toContain('.greenroom');
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  expect(Buckets.map(({ Name }) => Name)).not.toContain('.greenroom');
  const read = s3.send(new GetObjectCommand({ Bucket: '.greenroom', Key: 'instance-id' }));
  await expect(read).rejects.toMatchObject({ name: 'NoSuchKey' });
  expect((await client.storage.from('.greenroom').list()).data).toEqual([]);
});

it('another instance does not start on the store of this instance', async () => {
  const before = (await stored()).toSorted();
  const other = await createTestDatabase();
  const alone = loadStandaloneConfig({
    ...config.source,
    PORT: String(await freePort()),
    DATABASE_URL: other.storageUrl,
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    GREENROOM_DATA_DIR: join(folder, 'other'),
  });
  await expect(startStandalone('storage', alone)).rejects.toThrow(
    `bucket ${STORE_BUCKET} of ${store.url}/storage/v1/s3 belongs to the instance`,
  );
  const complete = loadConfig({ ...config.source, GREENROOM_DATA_DIR: join(folder, 'other') });
  await expect(startGreenroom({ config: complete, pages: 'none' })).rejects.toThrow(
    'but the database is new',
  );
  expect(existsSync(join(folder, 'other', 'postgres', 'PG_VERSION'))).toBe(false);
  expect((await stored()).toSorted()).toEqual(before);
  await other.drop();
});

it('a second node with a copy of the keys shares database and store', async () => {
  const second = join(folder, 'second');
  await mkdir(second);
  await cp(join(folder, 'own', 'keys.json'), join(second, 'keys.json'));
  const record = await readInstanceRecord(join(folder, 'own'));
  const node = await startGreenroom({
    config: loadConfig({
      ...config.source,
      PORT: String(await freePort()),
      DATABASE_URL: record?.credentials?.adminDatabaseUrl,
      GREENROOM_DATA_DIR: second,
    }),
    pages: 'none',
  });
  const { storage } = createClient(node.url, key, { auth: { persistSession: false } });
  expect(await (await storage.from(BUCKET).download('stray.bin')).data?.text()).toBe('x');
  await node.close();
});

it('an unreachable store is reported as an internal error', async () => {
  await files().upload('gone.bin', randomBytes(10));
  await store.close();
  const { error } = await files().upload('more.bin', randomBytes(10));
  expect(error).toMatchObject({
    status: 500,
    statusCode: '500',
    message: 'The object store cannot be reached',
  });
  const response = await fetch(`${instance.url}/storage/v1/object/${BUCKET}/gone.bin`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'InternalError' });
});
