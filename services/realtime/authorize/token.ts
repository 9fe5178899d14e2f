/** Tokens of sockets and channels: verified, and told apart by what is wrong with them. */
import { JwtError, type Keys } from '@greenroom/keys';
import { failure } from '../errors.ts';
import type { Identity } from '../feed/feed.ts';

/** Roles that no token can have: `none` is PostgreSQL's word for the login role, which is the owner of messages. */
const REFUSED_ROLES = new Set(['', 'none', 'supabase_realtime_admin']);

/** A verified token. */
export interface Session extends Identity {
  token: string;
  /** Seconds since the epoch. */
  expiresAt: number;
  /** Claim `sub`, where it is a text. */
  subject: string;
}

/** Verifies a token. Throws an error of the catalogue. */
export type TokenReader = (token: string) => Promise<Session>;

/** Builds a reader. `now` gives milliseconds since the epoch. */
export function createTokenReader(keys: Pick<Keys, 'verify' | 'jwks'>, now = Date.now): TokenReader {
  return async (sent) => {
    const token = withoutBlanks(sent);
    const claims = await keys.verify(token).catch((error: unknown) => {
      throw refusalOf(error, token, keys, now);
    });
    const { role, exp, sub } = claims;
    if (typeof role !== 'string' || REFUSED_ROLES.has(role) || !Number.isInteger(exp)) {
      throw failure('InvalidJWTToken');
    }
    return {
      token,
      role,
      claims: partOf(token, 1),
      expiresAt: exp as number,
      subject: typeof sub === 'string' ? sub : '',
    };
  };
}

/** What is said of an expired token. */
export function expiredText(expiresAt: number, nowMs: number): string {
  return `Token has expired ${Math.max(0, Math.floor(nowMs / 1000) - expiresAt)} seconds ago`;
}

/** A token is sometimes copied with the end of its line, or encoded once too often. */
function withoutBlanks(token: string): string {
  return token.replace(/%20|%0a|%0d|\s/gi, '');
}

function refusalOf(error: unknown, token: string, keys: Pick<Keys, 'jwks'>, now: () => number): unknown {
  if (!(error instanceof JwtError)) return error;
  switch (error.reason) {
    case 'expired':
      return failure('InvalidJWTToken', { message: expiredText(expiryOf(token), now()) });
    case 'signature':
      return failure(hasKnownKey(token, keys) ? 'JwtSignatureError' : 'JwtSignerError');
    default:
      return failure('MalformedJWT');
  }
}

/** Only asked of tokens whose signature has been verified. */
function expiryOf(token: string): number {
  const { exp } = JSON.parse(partOf(token, 1)) as { exp?: unknown };
  return typeof exp === 'number' ? Math.floor(exp) : 0;
}

/** Says only which of two refusals is told. */
function hasKnownKey(token: string, keys: Pick<Keys, 'jwks'>): boolean {
  const { alg, kid } = JSON.parse(partOf(token, 0)) as { alg?: unknown; kid?: unknown };
  return alg === 'HS256' || keys.jwks().keys.some((key) => key.kid === kid);
}

function partOf(token: string, index: number): string {
  return Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8');
}
