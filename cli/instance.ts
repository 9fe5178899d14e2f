/** The running (or last) instance of a data folder, as seen from another process. */
import { join, resolve } from 'node:path';
import type { Config } from '@greenroom/config';
import { readInstanceRecord } from '@greenroom/data-folder';
import { type ApiKeys, createApiKeys, loadKeyFile } from '@greenroom/keys';

/** Where an instance is reached and with what keys. */
export interface InstanceView {
  apiUrl: string;
  databaseUrl: string;
  jwtSecret: string;
  apiKeys: ApiKeys;
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
  return {
    apiUrl: record.apiUrl,
    databaseUrl: config.databaseUrl ?? embeddedUrl(file.databasePassword, record.databasePort),
    jwtSecret,
    apiKeys: await createApiKeys({ ...file, jwtSecret }),
  };
}

function embeddedUrl(password: string, port: number | undefined): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}
