/** Contexts and requests of endpoints, for tests without HTTP. */
import { loadSettings } from '@greenroom/config';
import { isLoopback } from '@greenroom/limits';
import { createOutbox, openMailbox } from '@greenroom/messages';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { createPasswordHasher, QUICK_COST } from '../credential/password/hash.ts';
import { createLeakCheck } from '../credential/password/leaks.ts';
import { createHooks } from '../hooks/run.ts';
import { createMailer } from '../mail/mailer.ts';
import { createRateLimits } from '../rate-limit/limits.ts';
import { authSettings } from '../settings.ts';
import type { AuthServer } from './auth-server.ts';

/** Fields of a request. An object as body becomes JSON. */
export interface RequestFields {
  query?: string;
  params?: Record<string, string>;
  body?: object;
  bearer?: string;
  address?: string;
  headers?: Record<string, string>;
}

/** Creates a request. */
export function authRequest({
  query,
  params,
  body,
  bearer,
  address,
  headers,
}: RequestFields = {}): AuthRequest {
  return {
    target: '/',
    query: new URLSearchParams(query),
    params: params ?? {},
    body: body && Buffer.from(JSON.stringify(body)),
    bearer,
    address: address ?? '127.0.0.1',
    isCounted: !isLoopback(address ?? '127.0.0.1'),
    header: (name) => headers?.[name],
  };
}

/** The context of a server's endpoints; `fields` override its parts. */
export function authContext({ keys, database }: AuthServer, fields: Partial<AuthContext> = {}): AuthContext {
  const config = loadSettings(authSettings, {});
  const hooked = { config, database: database.auth, ...fields };
  const limits = createRateLimits(config);
  const outbox = createOutbox({ delivers: { mail: false, sms: false } });
  return {
    config,
    keys,
    database: database.auth,
    limits,
    outbox,
    mailbox: openMailbox(database.admin),
    checkCode: undefined,
    mailer: createMailer(config),
    isLeaked: createLeakCheck(config.password.leaks),
    passwords: createPasswordHasher({ cost: QUICK_COST }),
    hooks: createHooks({ ...hooked, log: { warn: () => {} } }),
    now: () => new Date(),
    ...fields,
  };
}
