/** The keys of an instance: from its data folder, made at first start, with what configuration overrides. */

import { writeFileAtomically } from '@greenroom/data-folder';
import { type ApiKeys, createApiKeys, generateKeyFile, type KeyFile, loadKeyFile } from '@greenroom/keys';

/** Keys as they are in force. */
export interface InstanceKeys {
  file: KeyFile;
  /** The configured secret, else the generated one. */
  jwtSecret: string;
  apiKeys: ApiKeys;
}

/** Reads `keys.json` at `path`, making it where it does not exist. `jwtSecret` overrides the file's. */
export async function loadOrCreateKeys(path: string, jwtSecret: string | undefined): Promise<InstanceKeys> {
  const file = (await loadKeyFile(path)) ?? (await createKeyFile(path));
  const secret = jwtSecret ?? file.jwtSecret;
  return { file, jwtSecret: secret, apiKeys: await createApiKeys({ ...file, jwtSecret: secret }) };
}

async function createKeyFile(path: string): Promise<KeyFile> {
  const file = await generateKeyFile(Math.floor(Date.now() / 1000));
  await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
  return file;
}
