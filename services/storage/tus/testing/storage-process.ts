/**
 * A storage process that tests can kill. Arguments: URL of the database, folder of the store, and the shared secret.
 * Sends its URL to the parent process.
 */
import type { AddressInfo } from 'node:net';
import { loadSettings } from '@greenroom/config';
import { createHttpServer, createMetrics, registerApiScope } from '@greenroom/http';
import { createApiKeyReader, createApiKeys, createKeyring, generateKeyFile } from '@greenroom/keys';
import { createLogger } from '@greenroom/log';
import { openDatabase } from '@greenroom/postgres';
import { bindStore } from '../../binding/bind.ts';
import { openStorage } from '../../instance.ts';
import { OPEN_STORAGE_PATHS, storagePlugin } from '../../plugin.ts';
import { storageSettings } from '../../settings.ts';
import { openDiskStore } from '../../store/disk.ts';

const [, , databaseUrl = '', folder = '', jwtSecret = ''] = process.argv;
const createdAt = Math.floor(Date.now() / 1000);
const { signingKey } = await generateKeyFile(createdAt);
const keys = createKeyring({ signingKeys: [signingKey], jwtSecret });
const apiKeys = await createApiKeys({ jwtSecret, publishableKey: 'p', secretKey: 's', createdAt });
const log = createLogger('silent');
const metrics = createMetrics();
const database = openDatabase({ url: databaseUrl, max: 5, applicationName: 'test storage process' });
const store = await openDiskStore(folder);
await bindStore({ database, store, isAdopting: false, log });
const instance = openStorage({
  config: loadSettings(storageSettings, { FILE_SIZE_LIMIT: '100MB' }),
  keys,
  jwtSecret,
  s3Keys: { accessKeyId: 'id', secretAccessKey: 'secret', anonKey: apiKeys.anon },
  database,
  store,
  registry: metrics.registry,
  log,
});
await instance.waitForSweep();
const server = createHttpServer({ log, metrics, trustedProxies: [] });
await registerApiScope(server, {
  prefix: '/storage/v1',
  service: storagePlugin,
  serviceOptions: { instance },
  credentials: { readApiKey: createApiKeyReader(apiKeys, keys), requireApiKey: false },
  openPaths: OPEN_STORAGE_PATHS,
});
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo;
process.send?.({ url: `http://127.0.0.1:${port}/storage/v1`, token: apiKeys.serviceRole });
process.on('disconnect', () => process.exit());
