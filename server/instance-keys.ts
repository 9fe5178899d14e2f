/**
 * The keys of an instance: read from its data folder, created at the first start, and overridden by the configuration.
 */
import { readFile } from 'node:fs/promises';
import { ConfigError, type InstanceConfig, parseSigningKeys } from '@greenroom/config';
import { writeFileAtomically } from '@greenroom/data-folder';
import {
  type ApiKeys,
  CLI_JWT_SECRET,
  createApiKeys,
  createCliApiKeys,
  createKeyring,
  generateKeyFile,
  generateS3KeyPair,
  type KeyFile,
  type Keys,
  loadKeyFile,
  signingKeysOf,
  withCliKeys,
} from '@greenroom/keys';

/** The effective keys. */
export interface InstanceKeys {
  file: KeyFile;
  /** The fixed secret of the Supabase CLI if the instance uses it, otherwise {@link InstanceKeys.derivationSecret}. */
  jwtSecret: string;
  /**
   * The configured secret, otherwise the generated one. Passwords of services and sealed values of users depend on it; they
   * do not change with the fixed keys, and are not public.
   */
  derivationSecret: string;
  /** Passwords that the owner of the database may have from a start with other keys. */
  formerDatabasePasswords: readonly string[];
  apiKeys: ApiKeys;
}

/**
 * Creates the keyring that signs and verifies tokens: from the configured keys, otherwise from those of a configured
 * file, otherwise from the instance's own, where the shared secret may sign instead of the key.
 * @throws ConfigError if the file cannot be read, or contains no keys
 */
export async function createInstanceKeyring(
  { signingKeys, signingKeysFile, ownAlgorithm }: KeyringConfig,
  { file, jwtSecret, derivationSecret }: InstanceKeys,
): Promise<Keys> {
  const fromFile = signingKeysFile === undefined ? undefined : await readSigningKeys(signingKeysFile);
  const configured = signingKeys ?? fromFile;
  const secrets = { jwtSecret, derivationSecret };
  if (configured !== undefined) return createKeyring({ signingKeys: configured, ...secrets });
  const signsWithSecret = ownAlgorithm === 'HS256';
  return createKeyring({ signingKeys: signingKeysOf(file), ...secrets, signsWithSecret });
}

type KeyringConfig = Pick<InstanceConfig, 'signingKeys' | 'signingKeysFile' | 'ownAlgorithm'>;

async function readSigningKeys(path: string) {
  try {
    return parseSigningKeys(await readFile(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const allowed = `the path of a file with signing keys (${code ?? message})`;
    throw new ConfigError([{ name: 'GREENROOM_SIGNING_KEYS_FILE', value: path, allowed }]);
  }
}

/** The settings that keys depend on. */
type KeySettings = Pick<InstanceConfig, 'jwtSecret' | 'usesCliKeys'>;

/**
 * Reads `keys.json` at `path`. Creates it if it does not exist, and adds the keys that an older version did not create.
 * The settings override the file.
 */
export async function loadOrCreateKeys(path: string, settings: KeySettings): Promise<InstanceKeys> {
  const found = await loadKeyFile(path);
  const isComplete = found?.s3KeyPair && (found.hasUsedCliKeys || !settings.usesCliKeys);
  return effectiveKeys(isComplete ? found : await completeKeyFile(path, found, settings), settings);
}

/** Returns the keys that an instance with these settings uses. */
export async function effectiveKeys(
  file: KeyFile,
  { jwtSecret, usesCliKeys }: KeySettings,
): Promise<InstanceKeys> {
  const derivationSecret = jwtSecret ?? file.jwtSecret;
  const others = {
    derivationSecret,
    formerDatabasePasswords: file.hasUsedCliKeys
      ? [file.databasePassword, withCliKeys(file).databasePassword]
      : [],
  };
  if (usesCliKeys)
    return {
      file: withCliKeys(file),
      jwtSecret: CLI_JWT_SECRET,
      apiKeys: await createCliApiKeys(),
      ...others,
    };
  const apiKeys = await createApiKeys({ ...file, jwtSecret: derivationSecret });
  return { file, jwtSecret: derivationSecret, apiKeys, ...others };
}

async function completeKeyFile(
  path: string,
  found: KeyFile | undefined,
  { usesCliKeys }: KeySettings,
): Promise<KeyFile> {
  const keys = found ?? (await generateKeyFile(Math.floor(Date.now() / 1000)));
  const file: KeyFile = {
    ...keys,
    s3KeyPair: keys.s3KeyPair ?? generateS3KeyPair(),
    ...(usesCliKeys && { hasUsedCliKeys: true }),
  };
  await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return file;
}
