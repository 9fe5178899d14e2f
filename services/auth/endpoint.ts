/**
 * What an endpoint is: a function from a request to an answer. The values here are all that endpoints see of
 * HTTP; routing.ts translates from and to Fastify.
 */
import type { AuthConfig } from '@greenroom/config';
import type { Keys } from '@greenroom/keys';
import type { Mailbox, Outbox } from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { Hooks } from './hooks/run.ts';
import type { Mailer } from './mail/mailer.ts';
import type { PasswordHasher } from './password/hash.ts';
import type { LeakCheck } from './password/leaks.ts';
import type { RateLimits } from './rate-limit/limits.ts';

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

/** A request, as far as endpoints are concerned. */
export interface AuthRequest {
  /** Path and query as sent. */
  target: string;
  query: URLSearchParams;
  /** Of the path, by the names that the endpoint's path gives them. */
  params: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The token after `Authorization: Bearer`, not verified. */
  bearer: string | undefined;
  /** Address of the client. */
  address: string;
  /** Whether limits per client apply. */
  isCounted: boolean;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/**
 * An answer. A body that is not undefined is sent as JSON; where the headers name another `content-type`, it is text
 * and sent as it is. A redirect is a status with the header `location`.
 */
export interface AuthResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
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
