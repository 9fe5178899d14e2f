/** The service over real sockets on a database of its own, for the tests of this folder. */
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createOutbox, openMailbox } from '@greenroom/messages';
import { listenForService, prepareService, ServiceServer } from '@greenroom/testing';
import type { FastifyInstance } from 'fastify';
import { QUICK_COST } from '../credential/password/hash.ts';
import { authPlugin } from '../plugin.ts';
import { authSettings } from '../settings.ts';

const PREFIX = '/auth/v1';

/** A running service. */
export type AuthServer = ServiceServer;

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
  beside?: Pick<AuthServer, 'database' | 'keys'>,
  {
    sendsMail = false,
    sendsSms = false,
    limitsLoopback = false,
    hashesInEarnest = false,
  }: AuthServerOptions = {},
): Promise<AuthServer> {
  const parts = await prepareService({ database: beside?.database, keys: beside?.keys });
  const config = loadSettings(authSettings, env);
  const register = async (fastify: FastifyInstance) => {
    const outbox = createOutbox({ delivers: { mail: sendsMail, sms: sendsSms } });
    await fastify.register(authPlugin, {
      prefix: PREFIX,
      config,
      keys: parts.keys,
      database: parts.database.auth,
      outbox,
      mailbox: openMailbox(parts.database.admin),
      passwordCost: hashesInEarnest ? undefined : QUICK_COST,
    });
  };
  const server = new ServiceServer(PREFIX, await listenForService(parts, register, { limitsLoopback }));
  // An authorization server has to say where it is, and that is known only now.
  if (config.oauthServer.enabled && !env.GOTRUE_JWT_ISSUER) config.jwt.issuer = server.url;
  return server;
}

/** Resolves once somebody waits for a lock in the server's database. */
export async function waitForLock({ database }: AuthServer): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.admin.query({ text })).length === 0)
    await new Promise((done) => setTimeout(done, 5));
}
