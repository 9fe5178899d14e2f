import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { writeInstanceRecord } from '@greenroom/data-folder';
import { generateKeyFile, type KeyFile } from '@greenroom/keys';
import { loadOrCreateKeys } from '@greenroom/server';
import { loadConfig } from '@greenroom/server/settings';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { statusValues } from './commands/status.ts';
import { viewInstance } from './instance.ts';

const SETTINGS = { jwtSecret: undefined, usesCliKeys: false };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-view-'));
  await writeInstanceRecord(folder, {
    pid: 1,
    startedAt: '2026-01-01T00:00:00Z',
    ready: true,
    apiUrl: 'http://a.test',
  });
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const path = () => join(folder, 'keys.json');
const read = async () => JSON.parse(await readFile(path(), 'utf8')) as KeyFile;
const status = async (env: ConfigSource = {}) =>
  statusValues(await viewInstance(loadConfig({ ...env, GREENROOM_DATA_DIR: folder })));

it('returns the S3 keys that were generated at the first start', async () => {
  const { file } = await loadOrCreateKeys(path(), SETTINGS);
  expect(file.s3KeyPair?.accessKeyId).toMatch(/^[0-9a-f]{32}$/);
  expect(file.s3KeyPair?.secretAccessKey).toMatch(/^[0-9a-f]{64}$/);
  expect(await status()).toMatchObject({
    S3_PROTOCOL_ACCESS_KEY_ID: file.s3KeyPair?.accessKeyId,
    S3_PROTOCOL_ACCESS_KEY_SECRET: file.s3KeyPair?.secretAccessKey,
    S3_PROTOCOL_REGION: 'us-east-1',
  });
  expect((await loadOrCreateKeys(path(), SETTINGS)).file).toEqual(file);
});

it('returns configured S3 keys in preference to generated ones', async () => {
  await loadOrCreateKeys(path(), SETTINGS);
  const set = {
    S3_PROTOCOL_ACCESS_KEY_ID: 'me',
    S3_PROTOCOL_ACCESS_KEY_SECRET: 'secret',
    S3_PROTOCOL_REGION: 'eu-west-1',
  };
  expect(await status(set)).toMatchObject(set);
});

it('adds S3 keys, the key of Vault and secrets of webhooks to a file of an older version, and keeps all other keys', async () => {
  const { s3KeyPair: _, vaultKey: __, webhookSecrets: ___, ...older } = await generateKeyFile(1_700_000_000);
  await writeFile(path(), JSON.stringify(older));
  await expect(status()).rejects.toThrow('no keys of the S3 protocol yet');
  const { file } = await loadOrCreateKeys(path(), SETTINGS);
  expect(await read()).toEqual(file);
  expect(file).toMatchObject(older);
  expect(file.s3KeyPair).toBeDefined();
  expect(file.vaultKey).toMatch(/^[0-9a-f]{64}$/);
  expect(file.webhookSecrets?.current).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

it('returns the secret of webhooks, and the first configured one in preference to it', async () => {
  const { file } = await loadOrCreateKeys(path(), SETTINGS);
  expect(await status()).toMatchObject({ WEBHOOK_SECRET: file.webhookSecrets?.current });
  const secrets = ['a', 'b'].map((text) => `whsec_${Buffer.from(text.repeat(32)).toString('base64')}`);
  const set = { GREENROOM_WEBHOOK_SECRETS: secrets.join('|') };
  expect(await status(set)).toMatchObject({ WEBHOOK_SECRET: secrets[0] });
});
