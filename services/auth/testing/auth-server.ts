/** The service over real sockets on a database of its own, for the tests of this folder. */
import { type ConfigSource, loadSettings } from '@greenroom/config';
import type { Keys } from '@greenroom/keys';
import { createOutbox, openMailbox } from '@greenroom/messages';
import { createTestDatabase, createTestKeys, listenForTest, type TestDatabase } from '@greenroom/testing';
import type { FastifyInstance } from 'fastify';
import { QUICK_COST } from '../credential/password/hash.ts';
import { authPlugin } from '../plugin.ts';
import { authSettings } from '../settings/settings.ts';

/** A running service. */
export interface AuthServer {
  /** Of the service, without a slash at the end. */
  url: string;
  database: TestDatabase;
  keys: Keys;
  fastify: FastifyInstance;
  close(): Promise<void>;
}

/** What some tests need otherwise. */
interface AuthServerOptions {
  /** Whether mails wait to be sent, instead of being kept. */
  sendsMail?: boolean;
  /** Whether SMS wait to be sent, instead of being kept. */
  sendsSms?: boolean;
  /** Whether limits per client apply to the loopback, as where the public URL is another. */
  limitsLoopback?: boolean;
  /** Whether passwords are hashed with as much work as outside of tests, where that is what a test is about. */
  hashesInEarnest?: boolean;
}

/** Starts the service with environment variables, or one more of it on the same database. */
export async function startAuthServer(
  env: ConfigSource = {},
  beside?: AuthServer,
  {
    sendsMail = false,
    sendsSms = false,
    limitsLoopback = false,
    hashesInEarnest = false,
  }: AuthServerOptions = {},
): Promise<AuthServer> {
  const database = beside?.database ?? (await createTestDatabase());
  const keys = beside?.keys ?? (await createTestKeys());
  const config = loadSettings(authSettings, env);
  const server = await listenForTest(
    async (fastify) => {
      const outbox = createOutbox({ delivers: { mail: sendsMail, sms: sendsSms } });
      await fastify.register(authPlugin, {
        prefix: '/auth/v1',
        config,
        keys,
        database: database.auth,
        outbox,
        mailbox: openMailbox(database.admin),
        passwordCost: hashesInEarnest ? undefined : QUICK_COST,
      });
    },
    undefined,
    { limitsLoopback },
  );
  const close = async () => {
    await server.close();
    if (beside === undefined) await database.drop();
  };
  // An authorization server has to say where it is, and that is known only now.
  if (config.oauthServer.enabled && !env.GOTRUE_JWT_ISSUER) config.jwt.issuer = `${server.url}/auth/v1`;
  return { url: `${server.url}/auth/v1`, database, keys, fastify: server.server, close };
}

/** Resolves once somebody waits for a lock in the server's database. */
export async function waitForLock({ database }: AuthServer): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.admin.query({ text })).length === 0)
    await new Promise((done) => setTimeout(done, 5));
}
