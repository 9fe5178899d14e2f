/** The running (or last) instance of a data folder, as seen from another process. */
import { join, resolve } from 'node:path';
import { type InstanceCredentials, readInstanceRecord } from '@greenroom/data-folder';
import { loadKeyFile, s3KeyPairOf, webhookSecretsOf } from '@greenroom/keys';
import { withRequiredTls } from '@greenroom/postgres';
import { effectiveKeys } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';

/** URLs and keys of an instance. */
export interface InstanceView extends InstanceCredentials {
  apiUrl: string;
  /** Certificate of the server in PEM, if `apiUrl` is an https:// URL. */
  certificate: string | undefined;
  /** URL of the HTTP API of the local mailbox; undefined if it has no ports, or no instance is running. */
  mailboxUrl?: string | undefined;
}

/** Returns the URL of the embedded database as its clients need it. */
function clientUrl(url: string, { databaseUrl, databaseAccess }: Config): string {
  return databaseUrl === undefined && databaseAccess.tls === 'required' ? withRequiredTls(url) : url;
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
  const { apiUrl, certificate, mailboxUrl, credentials } = record;
  if (credentials) return { apiUrl, certificate, mailboxUrl, ...credentials };
  const { s3Protocol } = config.storage;
  const { file: keys, jwtSecret, apiKeys } = await effectiveKeys(file, config);
  const { databaseSuperuserPassword = '' } = keys;
  const urlOf = (role: string, password: string) =>
    config.databaseUrl ??
    `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${record.databasePort}/postgres`;
  return {
    apiUrl,
    certificate,
    databaseUrl: clientUrl(urlOf('postgres', keys.databasePassword), config),
    adminDatabaseUrl: urlOf('supabase_admin', databaseSuperuserPassword),
    jwtSecret,
    apiKeys,
    s3: { ...s3KeyPairOf(s3Protocol, keys), region: s3Protocol.region },
    webhookSecret: webhookSecretsOf(config.jobs.webhooks.secrets, keys)[0]?.secret,
  };
}
