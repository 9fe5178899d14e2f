/** The certificate that settings name. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instanceSettings, parseSettings } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerCertificate } from './server-certificate.ts';
import { createTestCertificate } from './testing/certificate.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-tls-'));
  const current = createTestCertificate();
  const files = {
    'cert.pem': current.cert,
    'key.pem': current.key,
    'chain.pem': current.cert + createTestCertificate().cert,
    'other-key.pem': createTestCertificate().key,
    'text.pem': 'no PEM',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true }));

function read(cert: string | undefined, key: string | undefined, hasDataFolder = true) {
  const at = (name: string | undefined) => name && join(folder, name);
  const source = {
    GREENROOM_TLS_ENABLED: 'true',
    GREENROOM_TLS_CERT_FILE: at(cert),
    GREENROOM_TLS_KEY_FILE: at(key),
    GREENROOM_DATA_DIR: join(folder, 'data'),
  };
  const values = parseSettings(instanceSettings.tree, source);
  const config = instanceSettings.complete(values, undefined as never);
  return readServerCertificate(config, { hasDataFolder });
}

it('is read with its key, and may have certificates of authorities behind it', async () => {
  for (const cert of ['cert.pem', 'chain.pem']) {
    expect(await read(cert, 'key.pem')).toEqual({
      cert: expect.stringContaining('BEGIN CERTIFICATE'),
      key: expect.stringContaining('BEGIN PRIVATE KEY'),
    });
  }
});

it('is created in the data folder if no file is set, or required without a data folder', async () => {
  const created = await read(undefined, undefined);
  expect(await read(undefined, undefined)).toEqual(created);
  await expect(read(undefined, undefined, false)).rejects.toThrow(
    'GREENROOM_TLS_CERT_FILE="" is not allowed. Allowed: the path of a file in PEM (GREENROOM_TLS_ENABLED is true, and no data folder keeps a self-signed certificate)',
  );
});

it('is undefined if HTTPS is disabled', async () => {
  const values = parseSettings(instanceSettings.tree, {});
  const config = instanceSettings.complete(values, undefined as never);
  expect(await readServerCertificate(config, { hasDataFolder: true })).toBeUndefined();
});

describe('a wrong file', () => {
  const wrong = (name: string, file: string, allowed: string) =>
    `GREENROOM_TLS_${name}_FILE=${JSON.stringify(join(folder, file))} is not allowed. Allowed: ${allowed}`;

  it.each([
    [
      'none.pem',
      'key.pem',
      () => wrong('CERT', 'none.pem', 'the path of a file in PEM (reading it failed: ENOENT)'),
    ],
    [
      'cert.pem',
      'none.pem',
      () => wrong('KEY', 'none.pem', 'the path of a file in PEM (reading it failed: ENOENT)'),
    ],
    ['text.pem', 'key.pem', () => wrong('CERT', 'text.pem', 'a file with a certificate in PEM')],
    ['key.pem', 'key.pem', () => wrong('CERT', 'key.pem', 'a file with a certificate in PEM')],
    [
      'cert.pem',
      'text.pem',
      () => wrong('KEY', 'text.pem', 'a file with a private key in PEM, without a passphrase'),
    ],
    [
      'cert.pem',
      'other-key.pem',
      () =>
        wrong('KEY', 'other-key.pem', `the private key of the certificate in ${join(folder, 'cert.pem')}`),
    ],
  ])('is reported: %s, %s', async (cert, key, message) => {
    await expect(read(cert, key)).rejects.toThrow(message());
  });

  it('is reported if the certificate has expired', async () => {
    const { cert, key } = createTestCertificate({ validMs: -1000 });
    await writeFile(join(folder, 'old.pem'), cert);
    await writeFile(join(folder, 'old-key.pem'), key);
    await expect(read('old.pem', 'old-key.pem')).rejects.toThrow(
      /CERT_FILE=".*old.pem" is not allowed. Allowed: a certificate that is valid; this one expired at \d{4}-/,
    );
  });
});

it.each([
  [
    'cert.pem',
    undefined,
    'GREENROOM_TLS_KEY_FILE="" is not allowed. Allowed: the path of a file in PEM (GREENROOM_TLS_CERT_FILE is set)',
  ],
  [
    undefined,
    'key.pem',
    'GREENROOM_TLS_CERT_FILE="" is not allowed. Allowed: the path of a file in PEM (GREENROOM_TLS_KEY_FILE is set)',
  ],
])('requires both files: %s, %s', (cert, key, message) => {
  expect(() => read(cert, key)).toThrow(message);
});
