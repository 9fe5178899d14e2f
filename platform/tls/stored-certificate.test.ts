import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadOrCreateSelfSigned, SELF_SIGNED_FILES } from './stored-certificate.ts';

const DAY_MS = 86_400_000;
const now = new Date();
let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'greenroom-certificate-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const after = (days: number) => new Date(now.getTime() + days * DAY_MS);
const daysOf = ({ cert }: { cert: string }, since: Date) =>
  (new X509Certificate(cert).validToDate.getTime() - since.getTime()) / DAY_MS;

it('creates a certificate that only its user can read, and returns the same at the next start', async () => {
  const created = await loadOrCreateSelfSigned(folder, now);
  for (const name of Object.values(SELF_SIGNED_FILES)) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
  expect(await loadOrCreateSelfSigned(folder, after(700))).toEqual(created);
});

it('replaces a certificate that expires within a month', async () => {
  const created = await loadOrCreateSelfSigned(folder, now);
  const renewed = await loadOrCreateSelfSigned(folder, after(800));
  expect(renewed.cert).not.toBe(created.cert);
  expect(daysOf(renewed, after(800))).toBeGreaterThan(800);
  expect(await loadOrCreateSelfSigned(folder, after(801))).toEqual(renewed);
});

it.each([
  ['does not fit its key', SELF_SIGNED_FILES.key, async (path: string) => writeFile(path, await otherKey())],
  ['is damaged', SELF_SIGNED_FILES.cert, (path: string) => writeFile(path, 'x')],
  ['has no key', SELF_SIGNED_FILES.key, (path: string) => rm(path)],
])('replaces a certificate that %s', async (_, name, change) => {
  const created = await loadOrCreateSelfSigned(folder, now);
  await change(join(folder, name));
  const replaced = await loadOrCreateSelfSigned(folder, now);
  expect(replaced.cert).not.toBe(created.cert);
  expect(new X509Certificate(replaced.cert).checkPrivateKey(createPrivateKey(replaced.key))).toBe(true);
  expect(await loadOrCreateSelfSigned(folder, now)).toEqual(replaced);
});

async function otherKey(): Promise<string> {
  return (await loadOrCreateSelfSigned(join(folder, 'other'), now)).key;
}
