/** Runs the service over real sockets on a separate database, for the tests of this folder. */
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createOutbox, openMailbox } from '@greenroom/messages';
import { listenForService, prepareService, ServiceServer } from '@greenroom/testing';
import type { FastifyInstance } from 'fastify';
import { QUICK_COST } from '../credential/password/hash.ts';
import { authPlugin } from '../plugin.ts';
import { authSettings } from '../settings.ts';

const PREFIX = '/auth/v1';

export type AuthServer = ServiceServer;

/** Options of {@link startAuthServer}. */
interface AuthServerOptions {
  /** Whether mails are queued for delivery instead of kept in the mailbox. */
  sendsMail?: boolean;
  /** Whether SMS are queued for delivery instead of kept in the mailbox. */
  sendsSms?: boolean;
  /** Whether limits per client apply to loopback addresses, as with a public URL. */
  limitsLoopback?: boolean;
  /** Whether passwords are hashed with the production cost, for tests about hashing. */
  hasProductionHashing?: boolean;
}

/** Starts the service with environment variables, on a new database or as another node of an existing one. */
export async function startAuthServer(
  env: ConfigSource = {},
  sharedWith?: Pick<AuthServer, 'database' | 'keys'>,
  {
    sendsMail = false,
    sendsSms = false,
    limitsLoopback = false,
    hasProductionHashing = false,
  }: AuthServerOptions = {},
): Promise<AuthServer> {
  const parts = await prepareService({ database: sharedWith?.database, keys: sharedWith?.keys });
  const config = loadSettings(authSettings, env);
  const register = async (fastify: FastifyInstance) => {
    const outbox = createOutbox({ delivers: { mail: sendsMail, sms: sendsSms, whatsapp: sendsSms } });
    await fastify.register(authPlugin, {
      prefix: PREFIX,
      config,
      keys: parts.keys,
      database: parts.database.auth,
      outbox,
      mailbox: openMailbox(parts.database.admin),
      passwordCost: hasProductionHashing ? undefined : QUICK_COST,
    });
  };
  const server = new ServiceServer(PREFIX, await listenForService(parts, register, { limitsLoopback }));
  // The authorization server needs its URL as issuer, which is known only now.
  if (config.oauthServer.enabled && !env.GOTRUE_JWT_ISSUER) config.jwt.issuer = server.url;
  return server;
}

/** Resolves once a transaction waits for a lock in the server's database. */
export async function waitForLock({ database }: AuthServer): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.admin.query({ text })).length === 0)
    await new Promise((done) => setTimeout(done, 5));
}
