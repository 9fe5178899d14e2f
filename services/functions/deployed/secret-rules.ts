/** Which secrets functions may have. */
import { failure } from '../errors.ts';
import { isReserved } from '../runtime/environment.ts';

/** As on the hosted platform. */
const MAX_SECRETS = 100;
const MAX_VALUE_BYTES = 48 * 1024;
const MAX_NAME_LENGTH = 256;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reads `[{name, value}]`. Throws an error of the catalogue that names the first secret that is not allowed. */
export function readSecrets(body: unknown): ReadonlyMap<string, string> {
  if (!Array.isArray(body)) throw refused('the body must be a list of objects with name and value');
  const secrets = new Map<string, string>();
  for (const entry of body as unknown[]) {
    const { name, value } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<
      string,
      unknown
    >;
    const checked = requireName(name);
    if (typeof value !== 'string') throw refused(`the value of ${checked} must be a text`);
    if (value.includes('\0')) throw refused(`the value of ${checked} contains a NUL character`);
    const bytes = Buffer.byteLength(value);
    if (bytes > MAX_VALUE_BYTES)
      throw refused(`the value of ${checked} has ${bytes} bytes; at most ${MAX_VALUE_BYTES} are allowed`);
    if (secrets.has(checked)) throw refused(`the secret ${checked} is named twice`);
    secrets.set(checked, value);
  }
  requireCount(secrets.size);
  return secrets;
}

/** Reads a list of names. Throws an error of the catalogue for a name that is not allowed. */
export function readSecretNames(body: unknown): string[] {
  if (!Array.isArray(body)) throw refused('the body must be a list of names');
  return [...new Set((body as unknown[]).map(requireName))];
}

/** Throws if there are more secrets than allowed. */
export function requireCount(count: number): void {
  if (count > MAX_SECRETS)
    throw refused(`there would be ${count} secrets; at most ${MAX_SECRETS} are allowed`);
}

function requireName(name: unknown): string {
  if (typeof name !== 'string' || !NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    const shown =
      typeof name === 'string' ? JSON.stringify(name.slice(0, MAX_NAME_LENGTH)) : 'a missing name';
    throw refused(`${shown} cannot be the name of a secret. Use a letter or _, then letters, digits and _`);
  }
  if (isReserved(name))
    throw refused(
      `the secret ${name} is not allowed: names that begin with SUPABASE_, SB_ and DENO_ are reserved`,
    );
  return name;
}

function refused(message: string): Error {
  return failure('INVALID_SECRETS', { message });
}
