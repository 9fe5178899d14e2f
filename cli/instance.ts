/** The running (or last) instance of a data folder, as seen from another process. */
import { join, resolve } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { type ApiKeys, createApiKeys, loadKeyFile, type S3KeyPair, s3KeyPairOf } from '@greenroom/keys';
import type { Config } from '@greenroom/server/settings';

/** URLs and keys of an instance. */
export interface InstanceView {
  apiUrl: string;
  databaseUrl: string;
  jwtSecret: string;
  apiKeys: ApiKeys;
  /** Key pair and region of the S3 protocol. */
  s3: S3KeyPair & { region: string };
}

/** Reads the files of a start in the data folder. Throws if no instance was ever started on it. */
export async function viewInstance(config: Config): Promise<InstanceView> {
  const folder = resolve(config.dataDirectory);
  const [file, record] = await Promise.all([
    loadKeyFile(join(folder, 'keys.json')),
    readInstanceRecord(folder),
  ]);
  if (!file || !record?.apiUrl)
    throw new Error(`no instance was started in ${folder} yet. Run "npx greenroom start" first.`);
  const jwtSecret = config.jwtSecret ?? file.jwtSecret;
  const { s3Protocol } = config.storage;
  return {
    apiUrl: record.apiUrl,
    databaseUrl: config.databaseUrl ?? embeddedUrl(file.databasePassword, record.databasePort),
    jwtSecret,
    apiKeys: await createApiKeys({ ...file, jwtSecret }),
    s3: { ...s3KeyPairOf(s3Protocol, file), region: s3Protocol.region },
  };
}

function embeddedUrl(password: string, port: number | undefined): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}
