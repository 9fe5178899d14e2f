/** Records a running instance in its data folder, for `greenroom status`. */
import type { ConfigSource } from '@greenroom/config';
import {
  type DataFolder,
  readInstanceRecord,
  removeCredentials,
  writeInstanceRecord,
} from '@greenroom/data-folder';
import { s3KeyPairOf, webhookSecretsOf } from '@greenroom/keys';
import type { ServiceKeys } from '@greenroom/service';
import { publicUrlOf } from './loopback-url.ts';
import { digestSettings } from './setting-digests.ts';
import type { Config } from './settings.ts';
import { VERSION } from './version.ts';

/** The instance to record. */
interface RecordedInstance {
  config: Pick<Config, 'localUrl' | 'appUrl' | 'externalUrl' | 'storage' | 'jobs' | 'source'>;
  folder: Pick<DataFolder, 'path'>;
  keys: Pick<ServiceKeys, 'file' | 'jwtSecret' | 'apiKeys'>;
  /** URL of the owner of the database, for clients. */
  databaseUrl: string;
  /** The same for commands of Greenroom. Default: `databaseUrl`. */
  ownDatabaseUrl?: string;
  /** URL of the role that migrates the database. Default: `databaseUrl`. */
  adminDatabaseUrl?: string;
  /** Port of the embedded PostgreSQL; undefined with an external one. */
  databasePort?: number | undefined;
  /** URL of the HTTP API of the local mailbox; undefined if it has no ports. */
  mailboxUrl?: string | undefined;
  /** Certificate in PEM; undefined without HTTPS. */
  certificate?: string | undefined;
}

/**
 * Writes the address, keys and settings of an instance that listens. Returns the function that removes keys and settings
 * again when the instance stops; it never rejects.
 */
export async function recordInstance(instance: RecordedInstance): Promise<() => Promise<void>> {
  const { config, folder, keys, databaseUrl, databasePort, mailboxUrl, certificate } = instance;
  const { ownDatabaseUrl = databaseUrl, adminDatabaseUrl = databaseUrl } = instance;
  const { s3Protocol } = config.storage;
  const publicUrl = publicUrlOf(config);
  await writeInstanceRecord(folder.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    version: VERSION,
    ready: true,
    apiUrl: config.localUrl,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(databasePort !== undefined && { databasePort }),
    ...(mailboxUrl !== undefined && { mailboxUrl }),
    ...(certificate !== undefined && { certificate }),
    credentials: {
      databaseUrl,
      ownDatabaseUrl,
      adminDatabaseUrl,
      jwtSecret: keys.jwtSecret,
      apiKeys: keys.apiKeys,
      s3: { ...s3KeyPairOf(s3Protocol, keys.file), region: s3Protocol.region },
      webhookSecret: webhookSecretsOf(config.jobs.webhooks.secrets, keys.file)[0]?.secret,
    },
    settings: digestSettings(config.source, keys.jwtSecret),
  });
  // A full disk, or a missing folder, must not keep the instance from stopping.
  return () => removeCredentials(folder.path).catch(() => undefined);
}

/** Options of {@link recordSettings}. */
type RecordedChange = Pick<RecordedInstance, 'folder' | 'certificate'> & {
  keys: Pick<ServiceKeys, 'jwtSecret'>;
};

/** Replaces the recorded settings of this instance, for `greenroom config diff`, and its certificate. */
export async function recordSettings(
  source: ConfigSource,
  { folder: { path }, keys, certificate }: RecordedChange,
): Promise<void> {
  const record = await readInstanceRecord(path);
  if (record?.settings === undefined || record.pid !== process.pid) return;
  await writeInstanceRecord(path, {
    ...record,
    ...(certificate !== undefined && { certificate }),
    settings: digestSettings(source, keys.jwtSecret),
  });
}

/** Replaces the recorded certificate of this instance. */
export async function recordCertificate(
  { path }: Pick<DataFolder, 'path'>,
  certificate: string,
): Promise<void> {
  const record = await readInstanceRecord(path);
  if (record?.ready && record.pid === process.pid)
    await writeInstanceRecord(path, { ...record, certificate });
}
