/**
 * Determines the caller: bearer token → verified claims → role. Verified tokens are cached by their hash; the times in the
 * claims are checked on every request.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { failure } from '../errors.ts';
import { parseRoleClaim, type RoleClaim } from './role-claim.ts';
import type { TokenVerifier } from './verify-token.ts';

/** Tolerated difference between the clocks of issuer and server. */
const LEEWAY_SECONDS = 30;
/** A longer token is rejected before any other work. */
const MAX_TOKEN_LENGTH = 65_536;
const MAX_CACHED_TOKENS = 1000;
/** Not a role: `SET ROLE none` resets the role in PostgreSQL. */
const NO_ROLE = 'none';

/** The role and the claims that a request runs with. */
export interface Caller {
  role: string;
  /** JSON for `request.jwt.claims`. The text is the signed one, so numbers of any size are unchanged. */
  claims: string;
  /**
   * Whether the role is the anonymous one, either without a token or by the token. A missing privilege is then reported
   * as 401, because signing in may help.
   */
  isAnonymous: boolean;
  /** The claim `sub`, which identifies the client for limits; undefined for an anonymous caller. */
  account?: string | undefined;
}

/** Options of {@link createCallerReader}. */
export interface CallerOptions {
  /** Undefined if no key is configured, which rejects every token. */
  verify: TokenVerifier | undefined;
  /** The role of requests without a token, and of tokens without a role. Undefined rejects both. */
  anonRole: string | undefined;
  /** A value that the claim `aud` must contain if it exists. */
  audience?: string | undefined;
  /** Path of the role in the claims, in the grammar of {@link parseRoleClaim}. */
  roleClaimKey?: string;
  /** Capacity of the cache of verified tokens; 0 disables it. */
  maxCachedTokens?: number;
  /** Returns the time in milliseconds since the epoch. */
  now?: () => number;
}

/** Determines the caller of a token. Throws PGRST300 to PGRST303. */
export type CallerReader = (token: string | undefined) => Promise<Caller>;

/** Returns the token of the header Authorization. Other schemes than Bearer count as no token (RFC 6750 §2.1). */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? '');
  return match ? (match[1] ?? '') : undefined;
}

/** Creates a reader with a separate cache. Throws an `Error` if `roleClaimKey` is not a valid path. */
export function createCallerReader(options: CallerOptions): CallerReader {
  const { verify, anonRole, maxCachedTokens = MAX_CACHED_TOKENS, now = Date.now } = options;
  const context = {
    anonRole,
    audience: options.audience,
    findRole: parseRoleClaim(options.roleClaimKey ?? '.role'),
  };
  const cache = maxCachedTokens > 0 ? new LRUCache<string, Entry>({ max: maxCachedTokens }) : undefined;

  const anonymous = anonymousCaller(anonRole);

  return async (token) => {
    if (token === undefined) {
      if (anonymous === undefined) throw failure('PGRST302');
      return anonymous;
    }
    if (verify === undefined) throw failure('PGRST300');
    requireThreeParts(token);
    const id = hash('sha256', token, 'base64url');
    const known = cache?.get(id);
    if (known !== undefined) {
      requireInTime(known.claims, now());
      return known.caller;
    }
    await verify(token);
    const entry = readEntry(token, context, now());
    cache?.set(id, entry);
    return entry.caller;
  };
}

type Claims = Record<string, unknown>;

/** A token with a verified signature and valid claims. */
interface Entry {
  claims: Claims;
  caller: Caller;
}

interface Context {
  anonRole: string | undefined;
  audience: string | undefined;
  findRole: RoleClaim;
}

function anonymousCaller(anonRole: string | undefined): Caller | undefined {
  if (anonRole === undefined) return undefined;
  return { role: anonRole, claims: JSON.stringify({ role: anonRole }), isAnonymous: true };
}

function requireThreeParts(token: string): void {
  if (token === '') throw failure('PGRST301', { message: 'Empty JWT is sent in Authorization header' });
  if (token.length > MAX_TOKEN_LENGTH) throw failure('PGRST301', { message: 'The JWT is too long' });
  const parts = token.split('.').length;
  if (parts !== 3) throw failure('PGRST301', { message: `Expected 3 parts in JWT; got ${parts}` });
}

function readEntry(token: string, { anonRole, audience, findRole }: Context, now: number): Entry {
  const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  const claims = parseClaims(text);
  requireInTime(claims, now);
  requireAudience(claims, audience);
  const role = roleText(findRole(claims)) ?? anonRole;
  if (role === undefined) throw failure('PGRST302');
  if (role === NO_ROLE) throw failure('PGRST303', { message: 'The role in the JWT does not exist' });
  const isAnonymous = role === anonRole;
  const account = isAnonymous ? undefined : accountOf(claims);
  return { claims, caller: { role, claims: withRole(text, claims, role), isAnonymous, account } };
}

function accountOf({ sub }: Claims): string | undefined {
  return typeof sub === 'string' && sub !== '' ? sub : undefined;
}

function parseClaims(text: string): Claims {
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as Claims;
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw failure('PGRST303');
}

/** Checks `exp`, `nbf` and `iat` (RFC 7519 §4.1) in this order and reports the first that is invalid. */
function requireInTime(claims: Claims, nowMs: number): void {
  const now = Math.floor(nowMs / 1000);
  const expiry = timeOf(claims, 'exp');
  if (expiry !== undefined && now - LEEWAY_SECONDS > expiry)
    throw failure('PGRST303', { message: 'JWT expired' });
  const notBefore = timeOf(claims, 'nbf');
  if (notBefore !== undefined && now + LEEWAY_SECONDS < notBefore) {
    throw failure('PGRST303', { message: 'JWT not yet valid' });
  }
  const issuedAt = timeOf(claims, 'iat');
  if (issuedAt !== undefined && now + LEEWAY_SECONDS < issuedAt) {
    throw failure('PGRST303', { message: 'JWT issued at future' });
  }
}

function timeOf(claims: Claims, name: string): number | undefined {
  const value = claims[name] ?? undefined;
  if (value === undefined || typeof value === 'number') return value;
  throw failure('PGRST303', { message: `The JWT '${name}' claim must be a number` });
}

function requireAudience({ aud }: Claims, audience: string | undefined): void {
  if (aud === undefined || aud === null) return;
  const all: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!all.every((name) => typeof name === 'string')) {
    throw failure('PGRST303', {
      message: "The JWT 'aud' claim must be a string or an array of strings",
    });
  }
  if (audience === undefined || all.length === 0 || all.includes(audience)) return;
  throw failure('PGRST303', { message: 'JWT not in audience' });
}

/** Converts the claim to a role name. A value that is not a string becomes JSON, which PostgreSQL rejects as a role. */
function roleText(role: unknown): string | undefined {
  return role === undefined || typeof role === 'string' ? role : JSON.stringify(role);
}

/** Adds the effective role to the claims. If the claims already have a role, PostgreSQL uses the last duplicate. */
function withRole(text: string, claims: Claims, role: string): string {
  if (claims.role === role) return text;
  const end = text.lastIndexOf('}');
  const comma = Object.keys(claims).length === 0 ? '' : ',';
  return `${text.slice(0, end)}${comma}"role":${JSON.stringify(role)}}`;
}
