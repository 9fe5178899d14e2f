/**
 * Links for one object: JSON Web Tokens in the query, which name the object and what may be done with it. They are
 * signed with the shared secret, as the hosted service signs them, and have no role: no service takes them for a session.
 */
import { createHmac } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { failure } from './errors.ts';

/** What may be done with a link. */
type LinkScope = 'download' | 'upload';

/** What a link says. Times in seconds since the epoch. */
interface LinkClaims {
  /** `<bucket>/<key>` */
  url: string;
  exp: number;
  [claim: string]: unknown;
}

/** Signs and verifies links. */
export interface Links {
  /** A token that holds for so many seconds. Throws InvalidParameter where that is beyond what can be said. */
  sign(scope: LinkScope, claims: Record<string, unknown> & { url: string }, seconds: number): string;
  /** Its `url` says which object is meant. Throws InvalidJWT, or InvalidSignature where the token is for something else. */
  verify(token: string, scope: LinkScope, url: string): Promise<LinkClaims>;
}

const HEADER = encode({ alg: 'HS256' });
/** The last second that a date of JavaScript can name. */
const MAX_SECONDS = 8_640_000_000_000;

/** `now` gives milliseconds since the epoch. */
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

/** Of a verified token; undefined for one that is no link. Links from before there were scopes are told apart by a claim. */
function scopeOf(claims: Record<string, unknown>): unknown {
  // A session is good for many things, but not for what a link is.
  if (claims.role !== undefined || typeof claims.exp !== 'number') return undefined;
  return claims.scope ?? ('upsert' in claims ? 'upload' : 'download');
}

/** Clients encode the path of a link once more, and with it what had to be encoded in it. */
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
