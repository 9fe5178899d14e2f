/**
 * Links for single objects: JSON Web Tokens in the query that name the object and the permitted action. They are signed
 * with the shared secret, as in the hosted service. They have no role, so no service accepts them as session tokens.
 */
import { createHmac } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { failure } from './errors.ts';

/** The action that a link permits. */
type LinkScope = 'download' | 'upload';

/** Claims of a link. Times are in seconds since the epoch. */
interface LinkClaims {
  /** `<bucket>/<key>` */
  url: string;
  exp: number;
  [claim: string]: unknown;
}

/** Signs and verifies links. */
export interface Links {
  /**
   * Returns a token that is valid for `seconds`. Throws InvalidParameter if `seconds` is not a positive integer or the
   * expiry is not representable as a date.
   */
  sign(scope: LinkScope, claims: Record<string, unknown> & { url: string }, seconds: number): string;
  /**
   * Verifies a token for `url`. Throws InvalidJWT, or InvalidSignature if the token is for another action or object.
   */
  verify(token: string, scope: LinkScope, url: string): Promise<LinkClaims>;
}

const HEADER = encode({ alg: 'HS256' });
/** The last second that a JavaScript date can represent. */
const MAX_SECONDS = 8_640_000_000_000;

/** `now` returns milliseconds since the epoch. */
export function createLinks(jwtSecret: string, now = Date.now): Links {
  const key = new TextEncoder().encode(jwtSecret);
  return {
    sign(scope, claims, seconds) {
      const iat = Math.floor(now() / 1000);
      if (!Number.isSafeInteger(seconds) || seconds < 1 || iat + seconds > MAX_SECONDS) {
        throw failure('InvalidParameter', { message: 'Invalid Parameter expiresIn' });
      }
      const signed = `${HEADER}.${encode({ ...claims, scope, iat, exp: iat + seconds })}`;
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    },
    async verify(token, scope, url) {
      const options = { algorithms: ['HS256'], currentDate: new Date(now()) };
      const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
        throw error instanceof errors.JOSEError ? failure('InvalidJWT', { message: error.message }) : error;
      });
      if (scopeOf(payload) !== scope) {
        throw failure('InvalidSignature', { message: `Token is not scoped for ${scope}` });
      }
      if (payload.url !== url && payload.url !== decoded(url)) throw failure('InvalidSignature');
      return payload as LinkClaims;
    },
  };
}

/**
 * Returns the action that a verified token permits, or undefined if the token is not a link. Links issued before scopes
 * existed are recognised by the claim `upsert`.
 */
function scopeOf(claims: Record<string, unknown>): unknown {
  // A session token, which has a role, does not count as a link.
  if (claims.role !== undefined || typeof claims.exp !== 'number') return undefined;
  return claims.scope ?? ('upsert' in claims ? 'upload' : 'download');
}

/** Some clients percent-encode the path of a link twice. */
function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
