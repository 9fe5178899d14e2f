import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { writeInstanceRecord } from '@greenroom/data-folder';
import { createKeyring, generateKeyFile, type KeyFile, signingKeysOf } from '@greenroom/keys';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { listKeys, revokeKeyOf, rotateKeys, rotateWebhookSecretOf } from './signing-keys.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-keys-'));
  await writeFile(path(), JSON.stringify(await generateKeyFile(seconds() - 3600)), { mode: 0o600 });
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Runs the function of a command. */
function keys([action, word]: ['list'] | ['rotate', '--now'?] | ['revoke', string], env: ConfigSource = {}) {
  const config = loadConfig({ ...env, GREENROOM_DATA_DIR: folder });
  if (action === 'list') return listKeys(config);
  if (action === 'rotate') return rotateKeys(config, { immediately: word === '--now' });
  return revokeKeyOf(config, word);
}
const path = () => join(folder, 'keys.json');
const seconds = () => Math.floor(Date.now() / 1000);
const read = async () => JSON.parse(await readFile(path(), 'utf8')) as KeyFile;
const ring = (file: KeyFile) =>
  createKeyring({ signingKeys: signingKeysOf(file), jwtSecret: file.jwtSecret });
const startedBefore = (ago: number) =>
  writeInstanceRecord(folder, {
    pid: 1,
    startedAt: new Date(Date.now() - ago * 1000).toISOString(),
    ready: true,
  });

/** Creates a standby key with a creation time `secondsAgo` in the past. */
async function haveStandby(ago: number): Promise<KeyFile> {
  await keys(['rotate']);
  const { standbyKey, ...file } = await read();
  if (!standbyKey) throw new Error('no standby key');
  const aged = { ...file, standbyKey: { ...standbyKey, iat: seconds() - ago } };
  await writeFile(path(), JSON.stringify(aged));
  return aged;
}

it('lists keys without their secrets', async () => {
  const { standbyKey, signingKey, jwtSecret } = await haveStandby(0);
  const printed = await keys(['list']);
  expect(printed).toEqual([
    expect.stringContaining(`${signingKey.kid}  ES256  signs`),
    expect.stringContaining(`${standbyKey?.kid}  ES256  standby`),
  ]);
  for (const secret of [signingKey.d, standbyKey?.d, jwtSecret]) expect(printed.join()).not.toContain(secret);
});

it('rotates in two steps, and tokens of both keys verify until the former one is revoked', async () => {
  const before = await read();
  const token = await ring(before).sign({ sub: 'ann' });
  const { standbyKey } = await haveStandby(1000);
  expect((await read()).signingKey).toEqual(before.signingKey);
  await startedBefore(700);
  await keys(['rotate']);
  const after = await read();
  expect([after.signingKey.kid, after.standbyKey, after.formerKeys?.map(({ kid }) => kid)]).toEqual([
    standbyKey?.kid,
    undefined,
    [before.signingKey.kid],
  ]);
  expect(await ring(after).verify(token)).toEqual({ sub: 'ann' });
  await keys(['revoke', String(before.signingKey.kid)]);
  await expect(ring(await read()).verify(token)).rejects.toMatchObject({ reason: 'signature' });
});

it('changes only the signing keys, and keeps the file readable only for its owner', async () => {
  const { signingKey: _, ...before } = await read();
  await keys(['rotate', '--now']);
  expect(await read()).toMatchObject(before);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

it.each([
  ['has not been published by a server', 100, 200, /Restart the server first/],
  ['may be unknown to other servers', 500, 300, /another (300|299|298) s/],
])('does not rotate to a standby key that %s', async (_, createdBefore, started, message) => {
  await haveStandby(createdBefore);
  await startedBefore(started);
  const before = await read();
  await expect(keys(['rotate'])).rejects.toThrow(message);
  expect(await read()).toEqual(before);
  await keys(['rotate', '--now']);
  expect((await read()).signingKey.kid).toBe(before.standbyKey?.kid);
});

it('rejects an unknown key', async () => {
  await expect(keys(['revoke', 'x'])).rejects.toThrow('unknown key x');
});

it('does not revoke the current key', async () => {
  const { kid } = (await read()).signingKey;
  await expect(keys(['revoke', String(kid)])).rejects.toThrow('rotate first');
});

it.each([
  ['GOTRUE_JWT_KEYS', '[{"kid":"a","kty":"oct","key_ops":["sign"]}]'],
  ['GREENROOM_SIGNING_KEYS_FILE', 'signing_keys.json'],
])('does not change keys of %s', async (name, value) => {
  const env = { [name]: value };
  await expect(keys(['rotate'], env)).rejects.toThrow(new RegExp(`^${name}.* sets the keys`));
  expect(await keys(['list'], env)).toEqual([expect.stringContaining(name)]);
});

it('reports that the shared secret signs instead of the key', async () => {
  const [line] = await keys(['list'], { GREENROOM_JWT_ALGORITHM: 'HS256' });
  expect(line).toContain('the shared secret signs (HS256)');
});

it('reports a missing key file before the first start', async () => {
  await rm(path());
  await expect(keys(['list'])).rejects.toThrow('Run "npx greenroom start" first');
});

it('webhooks rotate creates a secret, and the former one signs until the overlap ends', async () => {
  const before = (await read()).webhookSecrets?.current;
  const config = loadConfig({ GREENROOM_DATA_DIR: folder });
  const printed = await rotateWebhookSecretOf(config, 3_600_000);
  const { webhookSecrets, ...others } = await read();
  expect(webhookSecrets).toEqual({
    current: expect.stringMatching(/^whsec_/),
    former: { secret: before, endsAt: expect.any(Number) },
  });
  expect(webhookSecrets?.former?.endsAt).toBeGreaterThan(seconds() + 3500);
  expect(others).toMatchObject({ version: 1, jwtSecret: expect.any(String) });
  expect(printed.join('\n')).toContain(webhookSecrets?.current);
  expect(printed.join('\n')).not.toContain(before);
});

it('webhooks rotate refuses secrets that a setting has', async () => {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const config = loadConfig({ GREENROOM_DATA_DIR: folder, GREENROOM_WEBHOOK_SECRETS: secret });
  await expect(rotateWebhookSecretOf(config, 1000)).rejects.toThrow(
    'GREENROOM_WEBHOOK_SECRETS sets the secrets',
  );
});
