/**
 * `instance.json` (mode 0600): the process that uses the folder and its address, for messages, and while it runs its keys,
 * for `greenroom status`. Settings in the environment of the server override those in the folder, so other processes
 * cannot derive its keys.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './write-atomically.ts';

/** The running, or last, instance on a data folder. */
export interface InstanceRecord {
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  /** Version of Greenroom that was last ready; absent in records of earlier versions. */
  version?: string;
  /**
   * False during a start, and after a start that failed; then the URLs and `databasePort` are those of the last
   * instance.
   */
  ready: boolean;
  apiUrl?: string;
  /** Public URL; absent if the instance has only loopback URLs. */
  publicUrl?: string;
  /** Port of the embedded PostgreSQL; absent with an external one. */
  databasePort?: number;
  /** URL of the HTTP API of the local mailbox; present as long as the credentials, if the mailbox has ports. */
  mailboxUrl?: string;
  /** Certificate of the server at `apiUrl` in PEM, if that is an https:// URL. */
  certificate?: string;
  /** Present only while the instance runs, and after a crash until the next start. */
  credentials?: InstanceCredentials;
  /** Digests of the settings of the running instance, by their names; present as long as the credentials. */
  settings?: Readonly<Record<string, string>>;
}

/** The secrets that clients of a running instance use. */
export interface InstanceCredentials {
  /** URL of the owner of the database, for clients. */
  databaseUrl: string;
  /** The same for commands of Greenroom; absent in records of earlier versions. */
  ownDatabaseUrl?: string;
  /** URL of the role that migrates the database; absent in records of earlier versions. */
  adminDatabaseUrl?: string;
  jwtSecret: string;
  apiKeys: { anon: string; serviceRole: string; publishable: string; secret: string };
  /** Key pair and region of the S3 protocol. */
  s3: { accessKeyId: string; secretAccessKey: string; region: string };
  /** Secret that signs database webhooks; absent in records of earlier versions. */
  webhookSecret?: string | undefined;
}

const NAME = 'instance.json';

/** Returns the record of a folder; undefined if none exists yet. */
export async function readInstanceRecord(directory: string): Promise<InstanceRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, NAME), 'utf8')) as InstanceRecord;
  } catch {
    return undefined;
  }
}

/** Replaces the record of a folder. */
export function writeInstanceRecord(directory: string, record: InstanceRecord): Promise<void> {
  return writeFileAtomically(join(directory, NAME), `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

/** Removes the credentials, settings and mailbox from the record of a folder, if they are those of this process. */
export async function removeCredentials(directory: string): Promise<void> {
  const record = await readInstanceRecord(directory);
  if (record?.credentials === undefined || record.pid !== process.pid) return;
  const { credentials: _, settings: __, mailboxUrl: ___, ...rest } = record;
  await writeInstanceRecord(directory, rest);
}
