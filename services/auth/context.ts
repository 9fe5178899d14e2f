/** The context that all endpoints share, and the shape of an endpoint. routes.ts translates from and to Fastify. */

import type { Keys } from '@greenroom/keys';
import type { CodeCheck, Mailbox, Outbox } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { Hooks } from './contracts/hooks.ts';
import type { Mailer } from './contracts/mailer.ts';
import type { LeakCheck, PasswordHasher } from './contracts/passwords.ts';
import type { RateLimits } from './contracts/rate-limits.ts';
import type { AuthRequest, AuthResponse } from './contracts/request.ts';
import type { AuthConfig } from './settings/settings.ts';

/** Dependencies of every endpoint handler. */
export interface AuthContext {
  config: AuthConfig;
  keys: Keys;
  database: Database;
  limits: RateLimits;
  /** Outbox of mail and SMS. */
  outbox: Outbox;
  /** Messages in the outbox. Only admins may read them. */
  mailbox: Mailbox;
  /** Set if the provider of SMS creates and checks the codes, see one-time/provider-code.ts. */
  checkCode: CodeCheck | undefined;
  mailer: Mailer;
  isLeaked: LeakCheck;
  passwords: PasswordHasher;
  hooks: Hooks;
  now(): Date;
}

/** Handles a request. To reject it, a handler throws an error of the catalogue. */
export type EndpointHandler = (context: AuthContext, request: AuthRequest) => Promise<AuthResponse>;

/** An HTTP method, a path and its handler. The path is relative to the service's prefix. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path in Fastify's syntax, e.g. `/factors/:factorId`. */
  path: string;
  handle: EndpointHandler;
  /** Set for a GET with side effects. The server then serves no HEAD for it, because link checkers send HEAD. */
  hasSideEffects?: boolean;
  /** Maximum size of a body in bytes, 64 KiB by default. Larger bodies are rejected with 413. */
  bodyBytes?: number;
  /** Requests that need a captcha if captchas are enabled: all, or those that the predicate selects. Default: none. */
  captcha?: true | ((request: AuthRequest) => boolean);
}
