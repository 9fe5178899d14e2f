/**
 * Who is calling: bearer token → verified claims → role. A token that was verified once costs a hash afterwards; its
 * times are checked each time.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { failure } from '../errors.ts';
import { parseRoleClaim, type RoleClaim } from './role-claim.ts';
import type { TokenVerifier } from './verify-token.ts';

/** Clocks differ by so much without anybody being to blame. */
const LEEWAY_SECONDS = 30;
/** A longer token is refused before any work is done on it. */
const MAX_TOKEN_LENGTH = 65_536;
const REMEMBERED_TOKENS = 1000;
/** To PostgreSQL this is no role, but the wish to have none. */
const NO_ROLE = 'none';

/** Whom a request is run for. */
export interface Caller {
  role: string;
  /** JSON for `request.jwt.claims`. Text as it was signed: numbers of any size stay what they are. */
  claims: string;
  /** Nobody has signed in, or a key says no more than that: what is forbidden to this role may be allowed to others. */
  isAnonymous: boolean;
  /** `sub` of the token, by which limits count it; undefined where nobody has signed in. */
  account?: string | undefined;
}

/** Options of {@link createCallerReader}. */
export interface CallerOptions {
  /** Undefined where no secret is configured: then every token is refused. */
  verify: TokenVerifier | undefined;
  /** The role of requests without a token, and of tokens without a role; undefined lets nobody in. */
  anonRole: string | undefined;
  /** What `aud` must have where it is there. */
  audience?: string | undefined;
  /** See {@link parseRoleClaim}. */
  roleClaimKey?: string;
  /** 0: none. */
  rememberedTokens?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Says whom a request is run for. Throws PGRST300 to PGRST303. */
export type CallerReader = (token: string | undefined) => Promise<Caller>;

/** The token of header `Authorization`; undefined for other schemes, which count as no token (RFC 6750 §2.1). */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? '');
  return match ? (match[1] ?? '') : undefined;
}

/** Builds a reader with a memory of its own. Throws an `Error` where `roleClaimKey` is no path. */
export function createCallerReader(options: CallerOptions): CallerReader {
  const { verify, anonRole, rememberedTokens = REMEMBERED_TOKENS, now = Date.now } = options;
  const context = {
    anonRole,
    audience: options.audience,
    findRole: parseRoleClaim(options.roleClaimKey ?? '.role'),
  };
  const remembered =
    rememberedTokens > 0 ? new LRUCache<string, Entry>({ max: rememberedTokens }) : undefined;

  const anonymous = anonymousCaller(anonRole);

  return async (token) => {
    if (token === undefined) {
      if (anonymous === undefined) throw failure('PGRST302');
      return anonymous;
    }
    if (verify === undefined) throw failure('PGRST300');
    requireThreeParts(token);
    const id = hash('sha256', token, 'base64url');
    const known = remembered?.get(id);
    if (known !== undefined) {
      requireInTime(known.claims, now());
      return known.caller;
    }
    await verify(token);
    const entry = readEntry(token, context, now());
    remembered?.set(id, entry);
    return entry.caller;
  };
}

type Claims = Record<string, unknown>;

/** A verified token whose claims have passed. */
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
  if (role === NO_ROLE) throw failure('PGRST303', { message: 'The JWT has a role that does not exist' });
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
    // Told below.
  }
  throw failure('PGRST303');
}

/** `exp`, `nbf` and `iat` (RFC 7519 §4.1), in this order: the first that does not hold is told. */
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

/** What is no string is the name of no role, which PostgreSQL says. */
function roleText(role: unknown): string | undefined {
  return role === undefined || typeof role === 'string' ? role : JSON.stringify(role);
}

/** The claims with the role in effect. Of a name that is there twice, PostgreSQL takes the last. */
function withRole(text: string, claims: Claims, role: string): string {
  if (claims.role === role) return text;
  const end = text.lastIndexOf('}');
  const comma = Object.keys(claims).length === 0 ? '' : ',';
  return `${text.slice(0, end)}${comma}"role":${JSON.stringify(role)}}`;
}
