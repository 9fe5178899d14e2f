/**
 * Manages the keys in `keys.json` that sign and verify tokens. A running server has read them at its start, so changes
 * take effect at its next start.
 */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readInstanceRecord, writeFileAtomically } from '@greenroom/data-folder';
import {
  addStandbyKey,
  describeKeys,
  type KeyFile,
  loadKeyFile,
  promoteStandbyKey,
  revokeKey,
  rotateWebhookSecret,
} from '@greenroom/keys';
import type { Config } from './settings.ts';

/** Time for which others may cache the list of public keys (`max-age` of jwks.json) and miss a new key. */
const CACHED_SECONDS = 600;

/** The changed file of an action, and the lines to print. */
interface Change {
  file: KeyFile;
  lines: string[];
}

/** The keys of an instance, without secrets. */
export interface SigningKeyStates {
  /** Name of the setting that has the keys; undefined: they are those of the instance. */
  configuredBy: string | undefined;
  keys: ReturnType<typeof describeKeys>;
}

/** Returns the states of all keys. */
export async function signingKeyStates(config: Config): Promise<SigningKeyStates> {
  return { configuredBy: configuredBy(config), keys: describeKeys(await requireKeyFile(config)) };
}

/** Returns a line for each key. */
export async function listKeys(config: Config): Promise<string[]> {
  return list(config, await requireKeyFile(config));
}

/** Creates a standby key, or lets the existing one sign; returns the lines to print. */
export async function rotateKeys(
  config: Config,
  { immediately }: { immediately: boolean },
): Promise<string[]> {
  const file = await requireKeyFile(config);
  requireOwnKeys(config);
  const folder = resolve(config.dataDirectory);
  return save(folder, await rotate(folder, file, immediately));
}

/** Removes a former or standby key; returns the lines to print. */
export async function revokeKeyOf(config: Config, kid: string): Promise<string[]> {
  const file = await requireKeyFile(config);
  requireOwnKeys(config);
  return save(resolve(config.dataDirectory), revoke(file, kid));
}

/** Creates a new secret for webhooks; returns the lines to print. */
export async function rotateWebhookSecretOf(config: Config, overlapMs: number): Promise<string[]> {
  const file = await requireKeyFile(config);
  if (config.jobs.webhooks.secrets !== undefined)
    throw new Error('GREENROOM_WEBHOOK_SECRETS sets the secrets of webhooks. Change them there.');
  const now = Math.floor(Date.now() / 1000);
  const rotated = rotateWebhookSecret(file, { now, overlapSeconds: Math.ceil(overlapMs / 1000) });
  const { current, former } = rotated.webhookSecrets ?? {};
  const end = new Date((former?.endsAt ?? now) * 1000).toISOString();
  const lines = [
    `The new secret is ${current}. Restart the server to sign with it.`,
    ...(former === undefined ? [] : [`The former one signs too, until ${end}.`]),
  ];
  return save(resolve(config.dataDirectory), { file: rotated, lines });
}

async function requireKeyFile({ dataDirectory }: Config): Promise<KeyFile> {
  const folder = resolve(dataDirectory);
  const file = await loadKeyFile(join(folder, 'keys.json'));
  if (!file) throw new Error(`no instance was started in ${folder} yet. Run "npx greenroom start" first.`);
  return file;
}

function list(config: Config, file: KeyFile): string[] {
  const configured = configuredBy(config);
  if (configured) return [`${configured} sets the keys; the keys of this instance are not in use.`];
  const states = {
    current: config.ownAlgorithm === 'HS256' ? 'verifies; the shared secret signs (HS256)' : 'signs',
    standby: 'standby: verifies; signs after the next rotation',
    former: 'former: verifies until revoked',
  };
  return describeKeys(file).map(({ kid, algorithm, state, createdAt }) => {
    const created = createdAt === undefined ? '' : `  created ${new Date(createdAt * 1000).toISOString()}`;
    return `${kid}  ${algorithm}  ${states[state]}${created}`;
  });
}

function requireOwnKeys(config: Config): void {
  const configured = configuredBy(config);
  if (configured) throw new Error(`${configured} sets the keys. Change them there.`);
}

function configuredBy({ signingKeys, signingKeysFile }: Config): string | undefined {
  if (signingKeys) return 'GOTRUE_JWT_KEYS';
  return signingKeysFile && `GREENROOM_SIGNING_KEYS_FILE (${signingKeysFile})`;
}

/**
 * Creates and publishes a standby key first. After the caches of all verifiers have expired, the next call lets it
 * sign.
 */
async function rotate(folder: string, file: KeyFile, immediately: boolean): Promise<Change> {
  const now = Math.floor(Date.now() / 1000);
  const prepared = file.standbyKey ? file : await addStandbyKey(file, now);
  const kid = prepared.standbyKey?.kid ?? '';
  if (immediately) return promote(prepared);
  if (!file.standbyKey) {
    const next = `wait ${CACHED_SECONDS / 60} minutes, and run "greenroom keys rotate" again to sign with it`;
    return {
      file: prepared,
      lines: [`Created the standby key ${kid}. Restart the server to publish it, ${next}.`],
    };
  }
  await requirePublished(folder, file, now);
  return promote(file);
}

function promote(file: KeyFile): Change {
  const promoted = promoteStandbyKey(file);
  const lines = [
    `${promoted.signingKey.kid} is the current key. Restart the server to sign with it.`,
    `${file.signingKey.kid} still verifies tokens. Revoke it when the tokens that it signed have expired.`,
  ];
  return { file: promoted, lines };
}

/**
 * Throws if no server has published the standby key for long enough. A server publishes the keys that existed when it
 * started.
 */
async function requirePublished(folder: string, { standbyKey }: KeyFile, now: number): Promise<void> {
  const record = await readInstanceRecord(folder);
  const startedAt = Math.floor(Date.parse(record?.startedAt ?? '') / 1000);
  const anyway = 'Use --now to sign with it anyway; other verifiers may then reject tokens for a while.';
  if (!(startedAt >= (standbyKey?.iat ?? 0))) {
    throw new Error(`the standby key is not published yet. Restart the server first. ${anyway}`);
  }
  const missing = startedAt + CACHED_SECONDS - now;
  if (missing > 0)
    throw new Error(`other verifiers may not have the standby key yet. Wait another ${missing} s. ${anyway}`);
}

function revoke(file: KeyFile, kid: string): Change {
  const lines = [`Revoked ${kid}. Restart the server to reject its tokens.`];
  return { file: revokeKey(file, kid), lines };
}

async function save(folder: string, { file, lines }: Change): Promise<string[]> {
  const path = join(folder, 'keys.json');
  await requireOwner(path);
  await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return lines;
}

/**
 * Replacing a file makes it belong to the user of this process, and a server that runs as another user could not read
 * it.
 */
async function requireOwner(path: string): Promise<void> {
  const { uid } = await stat(path);
  const own = process.getuid?.();
  if (own !== undefined && own !== uid)
    throw new Error(`${path} belongs to the user with id ${uid}. Run the command as that user.`);
}
