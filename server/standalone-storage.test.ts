import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ConfigSource } from '@greenroom/config';
import { createApiKeys } from '@greenroom/keys';
import { createTestDatabase, freePort, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { Upload } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Standalone, startStandalone } from './standalone.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';

let database: TestDatabase;
let folder: string;
let running: Standalone | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-storage-'));
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

async function start(env: ConfigSource = {}): Promise<Standalone> {
  running = await startStandalone(
    'storage',
    loadStandaloneConfig({
      PORT: String(await freePort()),
      DATABASE_URL: database.storageUrl,
      GREENROOM_DATA_DIR: folder,
      GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
      LOG_LEVEL: 'silent',
      ...env,
    }),
  );
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

async function serviceRoleKey(): Promise<string> {
  const { serviceRole } = await createApiKeys({
    jwtSecret: TEST_JWT_SECRET,
    publishableKey: 'sb_publishable_x',
    secretKey: 'sb_secret_x',
    createdAt: Math.floor(Date.now() / 1000),
  });
  return serviceRole;
}

async function resumable(url: string, bytes: Buffer, metadata: Record<string, string>): Promise<void> {
  const authorization = `Bearer ${await serviceRoleKey()}`;
  await new Promise<void>((resolve, reject) => {
    new Upload(bytes, {
      endpoint: `${url}/storage/v1/upload/resumable`,
      headers: { authorization },
      chunkSize: 6 * 1024 * 1024,
      retryDelays: null,
      metadata,
      onError: reject,
      onSuccess: () => resolve(),
    }).start();
  });
}

async function clientAt(url: string) {
  const serviceRole = await serviceRoleKey();
  return createClient(url, serviceRole, { auth: { persistSession: false } }).storage;
}

const files = async () =>
  (await readdir(join(folder, 'storage', 'objects'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('standalone storage', () => {
  it('serves, keeps existing content, and removes content without a row at its start', async () => {
    const first = await start();
    const before = await clientAt(first.url);
    await before.createBucket('alone');
    expect((await before.from('alone').upload('a/b.txt', 'hello')).error).toBeNull();
    const [remaining] = await files();
    expect(await (await fetch(`${first.url}/health`)).json()).toEqual({
      status: 'ok',
      version: '0.1.0',
      parts: { storage: 'ok' },
    });
    expect(await (await fetch(`${first.url}/metrics`)).text()).toContain(
      'greenroom_storage_objects_written_total',
    );
    await stop();

    const stray = randomUUID();
    const directory = join(folder, 'storage', 'objects', stray.slice(0, 2));
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, stray), 'left over');
    // Files created at the moment of a start are kept, because they could belong to it.
    await sleep(200);
    const second = await start();
    await expect.poll(files, { timeout: 20_000 }).toEqual([remaining]);
    const after = await clientAt(second.url);
    expect(await (await after.from('alone').download('a/b.txt')).data?.text()).toBe('hello');
  });

  it('accepts the configured S3 keys, and resumable uploads', async () => {
    const credentials = { accessKeyId: 'given-id', secretAccessKey: 'given-secret' };
    const { url } = await start({
      S3_PROTOCOL_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_PROTOCOL_ACCESS_KEY_SECRET: credentials.secretAccessKey,
    });
    const endpoint = `${url}/storage/v1/s3`;
    const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    const wrong = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { ...credentials, secretAccessKey: 'another' },
    });
    try {
      await s3.send(new CreateBucketCommand({ Bucket: 'both' }));
      await s3.send(new PutObjectCommand({ Bucket: 'both', Key: 'a b.txt', Body: 'by S3' }));
      const client = (await clientAt(url)).from('both');
      expect(await (await client.download('a b.txt')).data?.text()).toBe('by S3');
      await expect(wrong.send(new ListBucketsCommand({}))).rejects.toMatchObject({
        name: 'SignatureDoesNotMatch',
      });
      const bytes = randomBytes(7 * 1024 * 1024);
      await resumable(url, bytes, { bucketName: 'both', objectName: 'large.bin' });
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'both', Key: 'large.bin' }));
      expect(bytes.equals((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(true);
    } finally {
      s3.destroy();
      wrong.destroy();
    }
  });

  it('rejects a login as superuser or as another role', async () => {
    await expect(start({ DATABASE_URL: database.url })).rejects.toThrow('but the role is "supabase_admin"');
    await expect(start({ DATABASE_URL: database.authenticatorUrl })).rejects.toThrow(
      'but the role is "authenticator"',
    );
  });

  it('uses its folder exclusively', async () => {
    await start();
    const mine = running;
    await expect(start()).rejects.toThrow('is in use by');
    running = mine;
  });
});
