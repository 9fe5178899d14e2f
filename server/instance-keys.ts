/**
 * The keys of an instance: read from its data folder, created at the first start, and overridden by the configuration.
 */
import { readFile } from 'node:fs/promises';
import { apiKeysTree, ConfigError, type InstanceConfig, parseSigningKeys } from '@greenroom/config';
import { writeFileAtomically } from '@greenroom/data-folder';
import {
  type ApiKeys,
  addMissingKeys,
  CLI_JWT_SECRET,
  type CompleteKeyFile,
  createApiKeys,
  createCliApiKeys,
  createKeyring,
  generateKeyFile,
  JwtError,
  type KeyFile,
  type Keys,
  loadKeyFile,
  signingKeysOf,
  withCliKeys,
} from '@greenroom/keys';

/** The effective keys. */
export interface InstanceKeys<File extends KeyFile = CompleteKeyFile> {
  file: File;
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

/**
 * Requires that the keyring verifies the configured tokens, and that they have their roles. Throws ConfigError. The fixed
 * keys of the Supabase CLI replace configured ones.
 */
export async function requireConfiguredApiKeys(
  { apiKeys, usesCliKeys }: Pick<InstanceConfig, 'apiKeys' | 'usesCliKeys'>,
  keys: Pick<Keys, 'verify'>,
): Promise<void> {
  if (usesCliKeys) return;
  const tokens = [
    { declared: apiKeysTree.anon, value: apiKeys.anon, role: 'anon' },
    { declared: apiKeysTree.serviceRole, value: apiKeys.serviceRole, role: 'service_role' },
  ];
  for (const { declared, value, role } of tokens) {
    if (value === undefined) continue;
    const claims = await keys.verify(value).catch((error: unknown) => {
      if (error instanceof JwtError) return { error: error.message };
      throw error;
    });
    if ('role' in claims && claims.role === role) continue;
    const reason = 'error' in claims ? claims.error : `its role is ${JSON.stringify(claims.role)}`;
    const allowed = `${declared.allowed} (${reason})`;
    throw new ConfigError([{ name: declared.name, value: undefined, allowed }]);
  }
}

const NO_API_KEYS: InstanceConfig['apiKeys'] = {
  publishable: undefined,
  secret: undefined,
  anon: undefined,
  serviceRole: undefined,
};

/** The settings that keys depend on. */
type KeySettings = Pick<InstanceConfig, 'jwtSecret' | 'usesCliKeys'> &
  Partial<Pick<InstanceConfig, 'apiKeys'>>;

/**
 * Reads `keys.json` at `path`. Creates it if it does not exist, and adds the keys that an older version did not create.
 * The settings override the file.
 */
export async function loadOrCreateKeys(path: string, settings: KeySettings): Promise<InstanceKeys> {
  const found = await loadKeyFile(path);
  const complete = found ? addMissingKeys(found) : await generateKeyFile(Math.floor(Date.now() / 1000));
  const isMarked = complete.hasUsedCliKeys || !settings.usesCliKeys;
  const file: CompleteKeyFile = isMarked ? complete : { ...complete, hasUsedCliKeys: true };
  if (file !== found) await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return effectiveKeys(file, settings);
}

/** Returns the keys that an instance with these settings uses. */
export async function effectiveKeys<File extends KeyFile>(
  file: File,
  { jwtSecret, usesCliKeys, apiKeys: configured = NO_API_KEYS }: KeySettings,
): Promise<InstanceKeys<File>> {
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
  const generated = await createApiKeys({ ...file, jwtSecret: derivationSecret });
  const apiKeys: ApiKeys = {
    anon: configured.anon ?? generated.anon,
    serviceRole: configured.serviceRole ?? generated.serviceRole,
    publishable: configured.publishable ?? generated.publishable,
    secret: configured.secret ?? generated.secret,
  };
  return { file, jwtSecret: derivationSecret, apiKeys, ...others };
}
