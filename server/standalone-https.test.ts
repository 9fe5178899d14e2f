/** HTTPS of the data API that runs alone. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { createEmptyDatabase, type EmptyDatabase, freePort } from '@greenroom/testing';
import { createPinnedFetch, SELF_SIGNED_FILES } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Standalone, startStandalone } from './standalone.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';

let database: EmptyDatabase;
let folder: string;
let running: Standalone | undefined;

beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'greenroom-standalone-https-'));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function start(source: ConfigSource): Promise<Standalone> {
  const config = loadStandaloneConfig({
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    GREENROOM_DATA_DIR: join(folder, 'data'),
    GREENROOM_TLS_ENABLED: 'true',
    LOG_LEVEL: 'silent',
    ...source,
  });
  running = await startStandalone('data', config);
  return running;
}

/** Resolves with the status of a request that trusts only this certificate; undefined if it fails. */
function statusWith(cert: string): Promise<number | undefined> {
  const url = running?.url ?? '';
  return createPinnedFetch(
    url,
    () => cert,
  )(`${url}/health/live`).then(
    ({ status }) => status,
    () => undefined,
  );
}

it('uses the configured files, and reads them again with a reload', async () => {
  const files = {
    GREENROOM_TLS_CERT_FILE: join(folder, 'cert.pem'),
    GREENROOM_TLS_KEY_FILE: join(folder, 'key.pem'),
  };
  const write = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(files.GREENROOM_TLS_CERT_FILE, cert);
    await writeFile(files.GREENROOM_TLS_KEY_FILE, key);
  };
  const [first, second] = [createTestCertificate(), createTestCertificate()];
  await write(first);
  const alone = await start({ ...files, GREENROOM_REQUIRE_API_KEY: 'false' });
  expect(alone.url).toMatch(/^https:/);
  expect([await statusWith(first.cert), await statusWith(second.cert)]).toEqual([200, undefined]);

  await write({ ...second, key: first.key });
  alone.reload();
  await write(second);
  alone.reload();
  await expect.poll(() => statusWith(second.cert)).toBe(200);
});

it('keeps a self-signed certificate in its data folder only if it has one for its keys', async () => {
  await start({ GREENROOM_REQUIRE_API_KEY: 'true' });
  const cert = await readFile(join(folder, 'data', SELF_SIGNED_FILES.cert), 'utf8');
  expect(await statusWith(cert)).toBe(200);
  await running?.close();
  await expect(start({ GREENROOM_REQUIRE_API_KEY: 'false' })).rejects.toThrow(
    'GREENROOM_TLS_CERT_FILE="" is not allowed',
  );
});

it('needs no certificate on a Unix socket', async () => {
  const path = join(folder, 'socket');
  const settings = { GREENROOM_REQUIRE_API_KEY: 'false', PGRST_SERVER_UNIX_SOCKET: path };
  expect((await start(settings)).url).toBe(`unix:${path}`);
});
