/** The running (or last) instance of a data folder, as seen from another process. */
import { join, resolve } from 'node:path';
import { type InstanceCredentials, readInstanceRecord } from '@greenroom/data-folder';
import { createApiKeys, loadKeyFile, s3KeyPairOf } from '@greenroom/keys';
import type { Config } from '@greenroom/server/settings';

/** URLs and keys of an instance. */
export interface InstanceView extends InstanceCredentials {
  apiUrl: string;
}

/**
 * Reads the files of a start in the data folder. The keys are those that the running instance has recorded; if none is
 * running, those that a start with `config` would use. Throws if no instance was ever started on the folder.
 */
export async function viewInstance(config: Config): Promise<InstanceView> {
  const folder = resolve(config.dataDirectory);
  const [file, record] = await Promise.all([
    loadKeyFile(join(folder, 'keys.json')),
    readInstanceRecord(folder),
  ]);
  if (!file || !record?.apiUrl)
    throw new Error(`no instance was started in ${folder} yet. Run "npx greenroom start" first.`);
  const { apiUrl, credentials } = record;
  if (credentials) return { apiUrl, ...credentials };
  const jwtSecret = config.jwtSecret ?? file.jwtSecret;
  const { s3Protocol } = config.storage;
  return {
    apiUrl,
    databaseUrl: config.databaseUrl ?? embeddedUrl(file.databasePassword, record.databasePort),
    jwtSecret,
    apiKeys: await createApiKeys({ ...file, jwtSecret }),
    s3: { ...s3KeyPairOf(s3Protocol, file), region: s3Protocol.region },
  };
}

function embeddedUrl(password: string, port: number | undefined): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}
