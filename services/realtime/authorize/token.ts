/** Verifies the tokens of sockets and channels, and maps each failure to an error of the catalogue. */
import { type AccessTokens, JwtError } from '@greenroom/keys';
import { failure } from '../errors.ts';
import type { Identity } from '../feed/feed.ts';

/** Roles that no token may have. `none` would reset to the login role, which owns realtime.messages. */
const REFUSED_ROLES = new Set(['', 'none', 'supabase_realtime_admin']);

/** A verified token. */
export interface Session extends Identity {
  token: string;
  /** Seconds since the epoch. */
  expiresAt: number;
  /** The claim `sub`; empty if it is not a string. */
  subject: string;
}

/** Verifies a token. Rejects with an error of the catalogue. */
export type TokenReader = (token: string) => Promise<Session>;

type TokenKeys = Pick<AccessTokens, 'verify' | 'hasKey'>;

/** Creates a reader. @param now the clock, in milliseconds since the epoch */
export function createTokenReader(keys: TokenKeys, now = Date.now): TokenReader {
  return async (sent) => {
    const token = withoutWhitespace(sent);
    const claims = await keys.verify(token).catch((error: unknown) => {
      throw tokenErrorOf(error, token, keys, now);
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

/** Returns the message for an expired token. @param expiresAt seconds since the epoch */
export function expiredText(expiresAt: number, nowMs: number): string {
  return `Token has expired ${Math.max(0, Math.floor(nowMs / 1000) - expiresAt)} seconds ago`;
}

/** Removes whitespace: some tokens are copied with a line break or are percent-encoded twice. */
function withoutWhitespace(token: string): string {
  return token.replace(/%20|%0a|%0d|\s/gi, '');
}

function tokenErrorOf(
  error: unknown,
  token: string,
  keys: Pick<TokenKeys, 'hasKey'>,
  now: () => number,
): unknown {
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

/** Reads `exp` from a token whose signature is verified. */
function expiryOf(token: string): number {
  const { exp } = JSON.parse(partOf(token, 1)) as { exp?: unknown };
  return typeof exp === 'number' ? Math.floor(exp) : 0;
}

/** Whether the key of the token is known. Only selects the error message; the token is rejected in any case. */
function hasKnownKey(token: string, keys: Pick<TokenKeys, 'hasKey'>): boolean {
  const { alg, kid } = JSON.parse(partOf(token, 0)) as { alg?: unknown; kid?: unknown };
  return alg === 'HS256' || keys.hasKey(kid);
}

function partOf(token: string, index: number): string {
  return Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8');
}
