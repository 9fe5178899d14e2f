/** Fixtures for tests: a real PostgreSQL with a migrated database per test file, real keys, real sockets. */
export {
  createEmptyDatabase,
  createTestDatabase,
  createTestDatabaseOn,
  type EmptyDatabase,
  type TestDatabase,
} from './database.ts';
export { freePort } from './free-port.ts';
export { sendHandshake } from './handshake.ts';
export { createTestApiKeys, createTestKeys, TEST_JWT_SECRET } from './keys.ts';
export { openTestNetwork, type TestNetwork } from './network.ts';
export { recordFlushes } from './record-flushes.ts';
export { startTestRedis, type TestRedis, WITHOUT_REDIS } from './redis.ts';
export { listenForTest, type TestServer } from './server.ts';
export { type ListeningService, listenForService, prepareService, ServiceServer } from './service-server.ts';
export { lastRows, openClient } from './sql-client.ts';
