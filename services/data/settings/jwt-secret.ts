/**
 * Validates the secret that tokens are verified with in addition to the instance's own keys: a shared secret, a JSON
 * Web Key or a set of them (RFC 7517). An invalid secret aborts the start. `auth/verify-token.ts` imports the keys.
 */
import { ConfigError } from '@greenroom/config';
import { z } from 'zod';

/** HMAC requires a key at least as long as its hash (RFC 7518 §3.2). */
const MIN_SECRET_BYTES = 32;

/** The value of `PGRST_JWT_SECRET`. */
interface JwtSecret {
  text: string;
  isBase64: boolean;
}

/** Allowed values for the reference page and error messages. */
export const JWT_SECRET_ALLOWED = `at least ${MIN_SECRET_BYTES} bytes, a JSON Web Key or a set of them`;

const jsonWebKey = z.looseObject({ kty: z.string().min(1) });
const keysSchema = z.union([z.looseObject({ keys: z.array(jsonWebKey).min(1).max(100) }), jsonWebKey]);

const BASE64 = /^[A-Za-z0-9+/_-]+=*$/;

/** Validates a secret and returns it unchanged. Throws {@link ConfigError}, whose message does not contain the secret. */
export function requireJwtSecret(secret: JwtSecret): JwtSecret {
  const { text, isBase64 } = secret;
  if (isBase64 && !BASE64.test(text)) throw wrong('base64, as PGRST_JWT_SECRET_IS_BASE64 says');
  if (!isBase64 && text.startsWith('{')) {
    if (!keysSchema.safeParse(parsedJson(text)).success) throw wrong(JWT_SECRET_ALLOWED);
    return secret;
  }
  // The loader has already replaced names of files in the environment by their contents.
  if (text.startsWith('@')) throw wrong(`${JWT_SECRET_ALLOWED}; no file`);
  if (Buffer.byteLength(text, isBase64 ? 'base64' : 'utf8') < MIN_SECRET_BYTES)
    throw wrong(JWT_SECRET_ALLOWED);
  return secret;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong(allowed: string): ConfigError {
  return new ConfigError([{ name: 'PGRST_JWT_SECRET', value: undefined, allowed }]);
}
