/** The details of a running backend that the start prints, and those that it records for other commands. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ApiKeys } from '@greenroom/keys';
import type { MailboxServers } from '@greenroom/mailbox';
import type { Backend } from './backend.ts';
import type { OwnCertificate } from './own-certificate.ts';
import type { Config } from './settings.ts';

/** The details of a backend that the start prints. */
export interface BackendInfo {
  /** URL of the owner of the database, for clients. */
  databaseUrl: string;
  /** The same for Greenroom itself. */
  ownDatabaseUrl: string;
  apiKeys: ApiKeys;
  jwtSecret: string;
  dataFolder: string;
  /** Folder of the embedded database, if it is outside of the data folder. */
  externalCluster: string | undefined;
}

/** Returns the details of a backend. */
export function infoOf({ databaseUrl, ownDatabaseUrl, keys, folder, embedded }: Backend): BackendInfo {
  const isInside = embedded === undefined || dirname(embedded.directory) === realpathSync(folder.path);
  return {
    databaseUrl,
    ownDatabaseUrl,
    apiKeys: keys.apiKeys,
    jwtSecret: keys.jwtSecret,
    dataFolder: folder.path,
    externalCluster: isInside ? undefined : embedded.directory,
  };
}

/** The parts that not every instance has. */
interface OptionalParts {
  mailbox: MailboxServers | undefined;
  certificate: OwnCertificate | undefined;
}

/** Returns the record of the instance for other commands. */
export function recordedInstance(backend: Backend, config: Config, { mailbox, certificate }: OptionalParts) {
  const { folder, keys, databaseUrl, ownDatabaseUrl, adminDatabaseUrl, embedded } = backend;
  const urls = { databaseUrl, ownDatabaseUrl, adminDatabaseUrl, mailboxUrl: mailbox?.url };
  const { cert } = certificate?.current() ?? {};
  return { config, folder, keys, ...urls, databasePort: embedded?.port, certificate: cert };
}
