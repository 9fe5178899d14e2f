import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { obtainedFolder, readObtained, storeObtained } from './obtained-certificate.ts';
import { readServerCertificate } from './server-certificate.ts';
import { createTestCertificate } from './testing/certificate.ts';

const authority = { directory: 'https://acme.example.org:14000/dir/v2' };
const now = new Date();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-obtained-'));
});
afterAll(() => rm(folder, { recursive: true }));

const path = () => join(obtainedFolder(folder, authority), 'certificate.pem');

describe('a stored certificate', () => {
  it('is in one file of the folder of its authority, which only its owner can read', async () => {
    expect(await readObtained(folder, authority, now)).toBeUndefined();
    const [leaf, issuer] = [createTestCertificate(), createTestCertificate()];
    const stored = { cert: leaf.cert + issuer.cert, key: leaf.key };
    await storeObtained(folder, authority, stored);
    expect(await readObtained(folder, authority, now)).toEqual(stored);
    expect(obtainedFolder(folder, authority)).toBe(join(folder, 'https/acme.example.org-14000-dir-v2'));
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect((await stat(obtainedFolder(folder, authority))).mode & 0o777).toBe(0o700);
    expect(await readdir(obtainedFolder(folder, authority))).toEqual(['certificate.pem']);
    const other = { directory: 'https://other.example.org/dir' };
    expect(await readObtained(folder, other, now)).toBeUndefined();
  });

  it('is not used if it has expired, lacks its key, or is damaged', async () => {
    const { cert, key } = createTestCertificate();
    await storeObtained(folder, authority, createTestCertificate({ validMs: -1000 }));
    expect(await readObtained(folder, authority, now)).toBeUndefined();
    await storeObtained(folder, authority, { cert, key: createTestCertificate().key });
    expect(await readObtained(folder, authority, now)).toBeUndefined();
    await storeObtained(folder, authority, { cert, key });
    const text = await readFile(path(), 'utf8');
    await writeFile(path(), text.slice(0, text.length / 2));
    expect(await readObtained(folder, authority, now)).toBeUndefined();
  });
});

describe('readServerCertificate with domains', () => {
  const automatic = {
    kind: 'obtained',
    domains: ['example.org'],
    host: '0.0.0.0',
    port: 443,
    plainPort: 80,
    email: undefined,
    authoritiesFile: undefined,
    ...authority,
  } as const;
  const read = (changes: object = {}, hasDataFolder = true) =>
    readServerCertificate({ tls: { ...automatic, ...changes }, dataDirectory: folder }, { hasDataFolder });

  it('returns the stored certificate, otherwise a self-signed one', async () => {
    const stored = createTestCertificate();
    await storeObtained(folder, authority, stored);
    expect(await read()).toEqual(stored);
    expect((await read({ directory: 'https://other.example.org/dir' }))?.cert).not.toBe(stored.cert);
  });

  it('rejects a file of authorities that cannot be used, and a server without a data folder', async () => {
    const wrong = join(folder, 'wrong.pem');
    await writeFile(wrong, 'text');
    await expect(read({ authoritiesFile: wrong })).rejects.toThrow('(it contains no certificate)');
    await expect(read({ authoritiesFile: 'none.pem' })).rejects.toThrow('(reading it failed: ENOENT)');
    await expect(read({}, false)).rejects.toThrow(ConfigError);
    await expect(read({}, false)).rejects.toThrow('unset (no data folder keeps the certificate)');
  });
});
