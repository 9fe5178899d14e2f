/**
 * The keys of an instance: read from its data folder, created at the first start, and overridden by the configuration.
 */
import { readFile } from 'node:fs/promises';
import { type InstanceConfig, parseSigningKeys } from '@greenroom/config';
import { writeFileAtomically } from '@greenroom/data-folder';
import {
  type ApiKeys,
  createApiKeys,
  createKeyring,
  generateKeyFile,
  generateS3KeyPair,
  type KeyFile,
  type Keys,
  loadKeyFile,
  signingKeysOf,
} from '@greenroom/keys';

/** The effective keys. */
export interface InstanceKeys {
  file: KeyFile;
  /** The configured secret, otherwise the generated one. */
  jwtSecret: string;
  apiKeys: ApiKeys;
}

/**
 * Creates the keyring that signs and verifies tokens: from the configured keys, otherwise from those of a configured
 * file, otherwise from the instance's own, where the shared secret may sign instead of the key. Throws if they cannot
 * be read.
 */
export async function createInstanceKeyring(
  { signingKeys, signingKeysFile, ownAlgorithm }: KeyringConfig,
  { file, jwtSecret }: InstanceKeys,
): Promise<Keys> {
  const fromFile = signingKeysFile === undefined ? undefined : await readSigningKeys(signingKeysFile);
  const configured = signingKeys ?? fromFile;
  if (configured !== undefined) return createKeyring({ signingKeys: configured, jwtSecret });
  const signsWithSecret = ownAlgorithm === 'HS256';
  return createKeyring({ signingKeys: signingKeysOf(file), jwtSecret, signsWithSecret });
}

type KeyringConfig = Pick<InstanceConfig, 'signingKeys' | 'signingKeysFile' | 'ownAlgorithm'>;

async function readSigningKeys(path: string) {
  try {
    return parseSigningKeys(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`GREENROOM_SIGNING_KEYS_FILE=${path}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Reads `keys.json` at `path`. Creates it if it does not exist, and adds the keys that an older version did not create.
 * `jwtSecret` overrides the file's.
 */
export async function loadOrCreateKeys(path: string, jwtSecret: string | undefined): Promise<InstanceKeys> {
  const found = await loadKeyFile(path);
  const file = found?.s3KeyPair ? found : await completeKeyFile(path, found);
  const secret = jwtSecret ?? file.jwtSecret;
  return { file, jwtSecret: secret, apiKeys: await createApiKeys({ ...file, jwtSecret: secret }) };
}

async function completeKeyFile(path: string, found: KeyFile | undefined): Promise<KeyFile> {
  const file = found
    ? { ...found, s3KeyPair: generateS3KeyPair() }
    : await generateKeyFile(Math.floor(Date.now() / 1000));
  await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return file;
}
