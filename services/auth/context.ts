/** What endpoints are, and what all of them work with. routes.ts translates from and to Fastify. */

import type { Keys } from '@greenroom/keys';
import type { Mailbox, Outbox } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { Hooks } from './contracts/hooks.ts';
import type { Mailer } from './contracts/mailer.ts';
import type { LeakCheck, PasswordHasher } from './contracts/passwords.ts';
import type { RateLimits } from './contracts/rate-limits.ts';
import type { AuthRequest, AuthResponse } from './contracts/request.ts';
import type { AuthConfig } from './settings/settings.ts';

/** What every endpoint of the service works with. */
export interface AuthContext {
  config: AuthConfig;
  keys: Keys;
  database: Database;
  limits: RateLimits;
  /** Mail and SMS. */
  outbox: Outbox;
  /** What was put into it, for admins alone. */
  mailbox: Mailbox;
  mailer: Mailer;
  isLeaked: LeakCheck;
  passwords: PasswordHasher;
  hooks: Hooks;
  now(): Date;
}

/** Throws an error of the catalogue to refuse. */
export type EndpointHandler = (context: AuthContext, request: AuthRequest) => Promise<AuthResponse>;

/** A handler and where it is found, relative to the service's prefix. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As Fastify reads it, e.g. `/factors/:factorId`. */
  path: string;
  handle: EndpointHandler;
  /** A GET that cannot be done twice: HEAD, which link checkers send, must not do it. */
  usesUp?: boolean;
  /** Most bytes of a body; 64 KiB, where not given. More is answered with 413. */
  bodyBytes?: number;
  /** Which requests must prove that a person is behind them, where captchas are on. Left out: none. */
  captcha?: true | ((request: AuthRequest) => boolean);
}
