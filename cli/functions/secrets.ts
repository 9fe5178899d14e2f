/** `greenroom secrets`: the secrets of functions of an instance. */
import type { ProjectOptions } from '../settings.ts';
import { tableLines } from '../table-lines.ts';
import { readEnvFile } from './env-file.ts';
import type { InstanceChoice } from './instance-options.ts';
import { openManagementApi } from './management-api.ts';

/** Options of {@link setSecrets}. */
interface SetOptions {
  /** Texts such as `NAME=value`. */
  assignments: readonly string[];
  envFile: string | undefined;
  instance: InstanceChoice;
}

/** Sets secrets; those of the command line have priority over those of the file. Returns lines for the user. */
export async function setSecrets(
  { assignments, envFile, instance }: SetOptions,
  project: ProjectOptions,
): Promise<string[]> {
  const file = envFile === undefined ? undefined : await readEnvFile(envFile);
  const secrets = new Map([...(file?.variables ?? []), ...assignments.map(assignmentOf)]);
  if (secrets.size === 0) {
    const reason =
      envFile === undefined ? 'secrets set requires NAME=value' : `${envFile} contains no secrets`;
    throw new Error(`${reason}, e.g. greenroom secrets set STRIPE_KEY=sk_test_1`);
  }
  const api = await openManagementApi(instance, project);
  const json = [...secrets].map(([name, value]) => ({ name, value }));
  await api.call({ method: 'POST', path: 'secrets', json });
  return [...(file?.skipped ?? []), `set ${[...secrets.keys()].join(', ')}`];
}

function assignmentOf(text: string): [string, string] {
  const end = text.indexOf('=');
  // The text may be a secret.
  if (end < 1)
    throw new Error('secrets set requires NAME=value for each secret; one of them has no name or no =.');
  return [text.slice(0, end), text.slice(end + 1)];
}

/** Returns a line for each secret, with the SHA-256 of its value, or one JSON text. */
export async function listSecrets(
  { format, instance }: { format: 'pretty' | 'json'; instance: InstanceChoice },
  project: ProjectOptions,
): Promise<string[]> {
  const api = await openManagementApi(instance, project);
  const secrets = await api.json<{ name: string; digest: string | null }[]>({
    method: 'GET',
    path: 'secrets',
  });
  if (format === 'json') return [JSON.stringify(secrets, undefined, 2)];
  if (secrets.length === 0) return ['no secrets. Set one: greenroom secrets set NAME=value'];
  return tableLines([
    ['NAME', 'DIGEST'],
    ...secrets.map(({ name, digest }) => [name, digest ?? 'cannot be decrypted: set it again']),
  ]);
}

/** Removes secrets. Throws if one does not exist; the others are removed then. */
export async function unsetSecrets(
  names: readonly string[],
  instance: InstanceChoice,
  project: ProjectOptions,
): Promise<string[]> {
  const api = await openManagementApi(instance, project);
  const removed = await api.json<string[]>({ method: 'DELETE', path: 'secrets', json: names });
  const missing = names.filter((name) => !removed.includes(name));
  if (missing.length > 0) {
    const done = removed.length > 0 ? ` Removed: ${removed.join(', ')}.` : '';
    throw new Error(`there is no secret ${missing.join(', ')}.${done}`);
  }
  return [`removed ${removed.join(', ')}`];
}
