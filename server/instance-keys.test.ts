import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@greenroom/config';
import { generateKeyFile } from '@greenroom/keys';
import { expect, it } from 'vitest';
import { createInstanceKeyring, effectiveKeys } from './instance-keys.ts';

const SETTINGS = { signingKeys: undefined, signingKeysFile: undefined, ownAlgorithm: 'ES256' } as const;

it('the fixed keys of the Supabase CLI change neither sealed values nor tokens of users', async () => {
  const file = await generateKeyFile(1_700_000_000);
  const [own, fixed] = await Promise.all(
    [false, true].map(async (usesCliKeys) =>
      createInstanceKeyring(SETTINGS, await effectiveKeys(file, { jwtSecret: undefined, usesCliKeys })),
    ),
  );
  expect(fixed?.derive('mfa-secrets')).toEqual(own?.derive('mfa-secrets'));
  const exp = Math.floor(Date.now() / 1000) + 60;
  const token = await own?.sign({ sub: 'ada', exp });
  expect(await fixed?.verify(token ?? '')).toMatchObject({ sub: 'ada' });
});

it.each([
  [undefined, false, []],
  [true, false, ['generated', 'postgres']],
  [true, true, ['generated', 'postgres']],
] as const)(
  'with hasUsedCliKeys=%s and usesCliKeys=%s, former passwords are %j',
  async (used, usesCliKeys, former) => {
    const generated = { ...(await generateKeyFile(1)), databasePassword: 'generated' };
    const file = used ? { ...generated, hasUsedCliKeys: used } : generated;
    const keys = await effectiveKeys(file, { jwtSecret: undefined, usesCliKeys });
    expect(keys.formerDatabasePasswords).toEqual(former);
    expect(keys.derivationSecret).toBe(generated.jwtSecret);
  },
);

it('tokens are signed with the key of a file with signing keys', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-keys-'));
  try {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: 'of the project', alg: 'ES256' };
    const signingKeysFile = join(folder, 'signing_keys.json');
    await writeFile(signingKeysFile, JSON.stringify([{ ...key, key_ops: ['sign', 'verify'] }]));
    const keys = await effectiveKeys(await generateKeyFile(1), { jwtSecret: undefined, usesCliKeys: false });
    const keyring = await createInstanceKeyring({ ...SETTINGS, signingKeysFile }, keys);
    const token = await keyring.sign({ sub: 'ada', exp: Math.floor(Date.now() / 1000) + 60 });
    const [header = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ kid: 'of the project' });
    expect(await keyring.verify(token)).toMatchObject({ sub: 'ada' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  ['is missing', undefined, 'ENOENT'],
  ['is no JSON', '{', 'must be a JSON array of keys'],
  ['contains no keys', '[]', 'must be a JSON array of keys'],
])('a file with signing keys that %s is reported as a wrong setting', async (_, content, reason) => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-keys-'));
  try {
    const signingKeysFile = join(folder, 'signing_keys.json');
    if (content !== undefined) await writeFile(signingKeysFile, content);
    const keys = await effectiveKeys(await generateKeyFile(1), { jwtSecret: undefined, usesCliKeys: false });
    const error: unknown = await createInstanceKeyring({ ...SETTINGS, signingKeysFile }, keys).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([
      {
        name: 'GREENROOM_SIGNING_KEYS_FILE',
        value: signingKeysFile,
        allowed: expect.stringMatching(`^the path of a file with signing keys \\(${reason}`),
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
