/** What tokens are verified with, where it is not the instance's own keys: a shared secret or public keys. */
import { z } from 'zod';
import { ConfigError } from '../config-error.ts';

/** HMAC needs a key as long as its hash (RFC 7518 §3.2). */
const MIN_SECRET_BYTES = 32;

/** A key as it is written; what it is good for is decided by who uses it. */
export type VerifyingKey = z.output<typeof jsonWebKey>;

/** What `PGRST_JWT_SECRET` holds. */
export type JwtSecret =
  | { kind: 'shared'; bytes: Uint8Array }
  | { kind: 'keys'; keys: readonly VerifyingKey[] };

const jsonWebKey = z.looseObject({ kty: z.string().min(1), kid: z.string().exactOptional() });
const jsonWebKeySet = z.object({ keys: z.array(jsonWebKey).min(1).max(100) });
const keysSchema = z.union([
  jsonWebKeySet.transform(({ keys }) => keys),
  jsonWebKey.transform((key) => [key]),
]);

/** For people: what may be written. */
export const JWT_SECRET_ALLOWED = `at least ${MIN_SECRET_BYTES} bytes, a JSON Web Key or a set of them`;

const BASE64 = /^[A-Za-z0-9+/_-]+[=.]*$/;

/** Reads the variable. Throws {@link ConfigError}, which does not show the value. */
export function parseJwtSecret(text: string, isBase64: boolean): JwtSecret {
  if (isBase64 && !BASE64.test(text)) throw wrong('base64, as PGRST_JWT_SECRET_IS_BASE64 says');
  const bytes = isBase64 ? Buffer.from(text.replaceAll('.', '='), 'base64') : Buffer.from(text);
  if (bytes[0] === '{'.charCodeAt(0)) return parseKeys(bytes.toString());
  // PostgREST would read a file; a secret that happens to be its name must not be taken for it.
  if (text.startsWith('@')) throw wrong(`${JWT_SECRET_ALLOWED}; not a file`);
  if (bytes.length < MIN_SECRET_BYTES) throw wrong(JWT_SECRET_ALLOWED);
  return { kind: 'shared', bytes };
}

function parseKeys(text: string): JwtSecret {
  const parsed = keysSchema.safeParse(parsedJson(text));
  if (!parsed.success) throw wrong(JWT_SECRET_ALLOWED);
  return { kind: 'keys', keys: parsed.data };
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
