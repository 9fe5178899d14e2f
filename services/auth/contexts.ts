/** The context of the endpoints, which a reload replaces by one with other settings. */
import { isDeepStrictEqual } from 'node:util';
import type { Keys } from '@greenroom/keys';
import type { CodeCheck, Mailbox, Outbox } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { PreparedSettings } from '@greenroom/service';
import type { FastifyBaseLogger } from 'fastify';
import type { AuthContext } from './context.ts';
import { createPasswordHasher } from './credential/password/hash.ts';
import { createLeakCheck } from './credential/password/leaks.ts';
import { createHooks } from './hooks/run.ts';
import { createMailer } from './mail/mailer.ts';
import { createRateLimits, LIMIT_SETTINGS } from './rate-limit/limits.ts';
import { startRetention } from './retention/retention.ts';
import type { AuthConfig } from './settings/settings.ts';

/** Options of {@link openContexts}. `database` is connected as `supabase_auth_admin`. */
export interface ContextOptions {
  config: AuthConfig;
  keys: Keys;
  database: Database;
  outbox: Outbox;
  mailbox: Mailbox;
  /** Default: codes are created and checked by the service. */
  checkCode?: CodeCheck | undefined;
  log: FastifyBaseLogger;
  /** bcrypt cost of new password hashes, for tests; undefined uses the default cost. */
  passwordCost?: number | undefined;
}

/** The contexts of one server. */
export interface Contexts {
  /** Returns the context for a request. */
  current(): AuthContext;
  /** Prepares a context with other settings. Rejects with `ConfigError`, e.g. for a template that cannot be read. */
  prepare(config: AuthConfig): Promise<PreparedSettings>;
  close(): Promise<void>;
}

/** The settings of the limits: if they are equal, the counters continue. */
type LimitBasis = ReturnType<typeof limitBasis>;

/** Opens the first context, and starts the removal of old rows. Rejects with `ConfigError`. */
export async function openContexts(options: ContextOptions): Promise<Contexts> {
  const { database, log, passwordCost } = options;
  const passwords = createPasswordHasher({
    cost: passwordCost,
    keysOf: (...request) => context.limits.keysOf(...request),
  });
  let basis: LimitBasis;
  let context: AuthContext;

  async function create(config: AuthConfig): Promise<{ context: AuthContext; basis: LimitBasis }> {
    const { outbox, keys, mailbox, checkCode } = options;
    const hooks = createHooks({ config, database, log });
    const isDelivered = {
      email: outbox.isDelivered('mail') || hooks.isSet('sendEmail'),
      phone: outbox.isDelivered('sms') || hooks.isSet('sendSms'),
    };
    const nextBasis = limitBasis(config, isDelivered);
    const keepsLimits = isDeepStrictEqual(nextBasis, basis);
    const mailer = createMailer(config, log);
    await mailer.load();
    const next = {
      config,
      keys,
      database,
      limits: keepsLimits ? context.limits : createRateLimits(config, isDelivered),
      outbox,
      mailbox,
      checkCode: checkCode && withLog(checkCode, log),
      mailer,
      isLeaked: createLeakCheck(config.password.leaks),
      passwords,
      hooks,
      now: () => new Date(),
    };
    return { context: next, basis: nextBasis };
  }

  ({ context, basis } = await create(options.config));
  const retention = startRetention({
    get config() {
      return context.config;
    },
    database,
    log,
  });
  return {
    current: () => context,
    async prepare(config) {
      const next = await create(config);
      return {
        apply() {
          context.mailer.close();
          ({ context, basis } = next);
        },
        discard: () => next.context.mailer.close(),
      };
    },
    async close() {
      context.mailer.close();
      await retention.close();
    },
  };
}

/** Logs why the provider could not check a code; the code then counts as not approved. */
function withLog(checkCode: CodeCheck, log: FastifyBaseLogger): CodeCheck {
  return (phone, code) =>
    checkCode(phone, code).catch((error: Error) => {
      log.warn({ reason: error.message }, 'the provider of SMS could not check a code');
      return false;
    });
}

function limitBasis(config: AuthConfig, isDelivered: { email: boolean; phone: boolean }) {
  return { isDelivered, settings: LIMIT_SETTINGS.map((name) => config[name]) };
}
