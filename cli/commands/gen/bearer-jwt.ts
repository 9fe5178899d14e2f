/** Signs access tokens with the keys of an instance. */
import { join, resolve } from 'node:path';
import { parseDuration } from '@greenroom/config';
import { readInstanceRecord } from '@greenroom/data-folder';
import { addMissingKeys, loadKeyFile } from '@greenroom/keys';
import { createInstanceKeyring, effectiveKeys } from '@greenroom/server';
import { type ProjectOptions, readConfig } from '../../settings.ts';

/** The options of a token, as texts. */
interface TokenOptions {
  role: string;
  sub: string | undefined;
  /** RFC 3339, or seconds since the epoch. */
  exp: string | undefined;
  /** In Go's notation, e.g. `1h30m`. */
  validFor: string;
  /** A JSON object. */
  payload: string;
}

/** Prints a token. Throws if no instance was started on the data folder. */
export async function printBearerToken(token: TokenOptions, options: ProjectOptions): Promise<number> {
  const claims = claimsOf(token, Math.floor(Date.now() / 1000));
  const config = await readConfig(options);
  const folder = resolve(config.dataDirectory);
  const file = await loadKeyFile(join(folder, 'keys.json'));
  if (!file) throw new Error(`no instance was started in ${folder} yet. Run "npx greenroom start" first.`);
  const keys = await effectiveKeys(addMissingKeys(file), config);
  // The running instance may have been started with another secret.
  const record = await readInstanceRecord(folder);
  const jwtSecret = record?.credentials?.jwtSecret ?? keys.jwtSecret;
  const ring = await createInstanceKeyring(config, { ...keys, jwtSecret });
  process.stdout.write(`${await ring.sign(claims)}\n`);
  return 0;
}

/**
 * Returns the claims, like the Supabase CLI: a token of `authenticated` without a user is that of an anonymous user.
 * @param now seconds since the epoch
 */
export function claimsOf(
  { role, sub, exp, validFor, payload }: TokenOptions,
  now: number,
): Record<string, unknown> {
  const expiry = exp === undefined ? now + seconds(validFor) : timeOf(exp);
  return {
    ...objectOf(payload),
    role,
    ...(sub !== undefined && { sub }),
    ...(sub === undefined && role === 'authenticated' && { is_anonymous: true }),
    iat: now,
    exp: expiry,
  };
}

function seconds(duration: string): number {
  const ms = parseDuration(duration);
  if (ms !== undefined && ms >= 1000) return Math.floor(ms / 1000);
  throw new Error(
    `--valid-for=${JSON.stringify(duration)} is not allowed. Allowed: a duration of at least 1s, such as 30m or 1h30m.`,
  );
}

function timeOf(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  throw new Error(
    `--exp=${JSON.stringify(text)} is not allowed. Allowed: a time such as 2030-01-01T00:00:00Z, or seconds since 1970.`,
  );
}

function objectOf(payload: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(payload);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims))
      return claims as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Error(
    `--payload=${JSON.stringify(payload)} is not allowed. Allowed: a JSON object, e.g. {"org":1}.`,
  );
}
