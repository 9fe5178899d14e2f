/** The running (or last) instance of a data folder, as seen from another process. */
import { join, resolve } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { type ApiKeys, createApiKeys, loadKeyFile, type S3KeyPair, s3KeyPairOf } from '@greenroom/keys';
import type { Config } from '@greenroom/server/settings';

/** Where an instance is reached and with what keys. */
export interface InstanceView {
  apiUrl: string;
  databaseUrl: string;
  jwtSecret: string;
  apiKeys: ApiKeys;
  /** Of the S3 protocol, and the region to sign for. */
  s3: S3KeyPair & { region: string };
}

/** Reads what a start left in the data folder. Throws where nothing was ever started there. */
export async function viewInstance(config: Config): Promise<InstanceView> {
  const folder = resolve(config.dataDirectory);
  const [file, record] = await Promise.all([
    loadKeyFile(join(folder, 'keys.json')),
    readInstanceRecord(folder),
  ]);
  if (!file || !record?.apiUrl) throw new Error(`nothing was started on ${folder} yet; run npm start first`);
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
