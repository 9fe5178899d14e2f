/** The authentication service as a Fastify plugin. */
import type { Keys } from '@greenroom/keys';
import type { Mailbox, Outbox } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { FastifyPluginAsync } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import type { Endpoint } from './context.ts';
import { createPasswordHasher } from './credential/password/hash.ts';
import { createLeakCheck } from './credential/password/leaks.ts';
import { credentialRoutes } from './credential/routes.ts';
import { factorRoutes } from './factor/routes.ts';
import { createHooks } from './hooks/run.ts';
import { identityRoutes } from './identity/routes.ts';
import { instanceRoutes } from './instance/routes.ts';
import { createMailer } from './mail/mailer.ts';
import { oauthServerRoutes } from './oauth-server/routes.ts';
import { oneTimeRoutes } from './one-time/routes.ts';
import { createRateLimits } from './rate-limit/limits.ts';
import { startRetention } from './retention/retention.ts';
import { serveEndpoints } from './routes.ts';
import { sessionRoutes } from './session/routes.ts';
import type { AuthConfig } from './settings/settings.ts';

/** Options of {@link authPlugin}. `database` is connected as `supabase_auth_admin`. */
interface AuthPluginOptions {
  config: AuthConfig;
  keys: Keys;
  database: Database;
  outbox: Outbox;
  mailbox: Mailbox;
  /** bcrypt cost of new password hashes, for tests; undefined uses the default cost. */
  passwordCost?: number | undefined;
}

const endpoints: readonly Endpoint[] = [
  ...instanceRoutes,
  ...oauthServerRoutes,
  ...credentialRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...oneTimeRoutes,
  ...identityRoutes,
  ...factorRoutes,
  ...adminRoutes,
];

/** Serves all endpoints below the prefix that the plugin is registered with, usually `/auth/v1`. */
export const authPlugin: FastifyPluginAsync<AuthPluginOptions> = async (
  server,
  { config, keys, database, outbox, mailbox, passwordCost },
) => {
  const hooks = createHooks({ config, database, log: server.log });
  const limits = createRateLimits(config, {
    email: outbox.isDelivered('mail') || hooks.isSet('sendEmail'),
    phone: outbox.isDelivered('sms') || hooks.isSet('sendSms'),
  });
  const mailer = createMailer(config, server.log);
  server.addHook('onClose', async () => mailer.close());
  await mailer.load();
  const retention = startRetention({ config, database, log: server.log });
  server.addHook('onClose', () => retention.close());
  serveEndpoints(server, endpoints, {
    config,
    keys,
    database,
    limits,
    outbox,
    mailbox,
    mailer,
    isLeaked: createLeakCheck(config.password.leaks),
    passwords: createPasswordHasher({ cost: passwordCost, keysOf: limits.keysOf }),
    hooks,
    now: () => new Date(),
  });
};
