/** Dependencies that all request handlers of storage share. */

import type { AccessTokens } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { ContentCopies } from '@greenroom/service';
import type { CallerReader } from './caller.ts';
import type { StorageLimits } from './limits.ts';
import type { Links } from './links.ts';
import type { StorageMetrics } from './metrics.ts';
import type { Quotas } from './quotas/quotas.ts';
import type { StorageConfig } from './settings.ts';
import type { ObjectStore } from './store/object-store.ts';
import type { Removals } from './store/removals.ts';
import type { Versions } from './store/versions.ts';
import type { UploadGroups } from './upload-groups/upload-groups.ts';

/** Dependencies of one storage instance. */
export interface Context {
  /** Replaced by a reload: a request that reads it several times may see both. */
  config: StorageConfig;
  /** Logged in as supabase_storage_admin, which owns the tables and can become the roles of requests. */
  database: Database;
  store: ObjectStore;
  /** Is notified before rows with content are committed; undefined if content is not copied. */
  contentCopies: ContentCopies | undefined;
  /** Versions of uploaded content. */
  versions: Versions;
  keys: Pick<AccessTokens, 'verify' | 'isFromThirdParty'>;
  readCaller: CallerReader;
  /** Signs and verifies links for single objects. */
  links: Links;
  /** Deletes content that writes have replaced. */
  removals: Removals;
  quotas: Quotas;
  /** Checks and writes rows of concurrent uploads together. */
  uploadGroups: UploadGroups;
  limits: StorageLimits;
  s3Keys: S3Keys;
  metrics: StorageMetrics;
  log: Logger;
}

/** Keys of the S3 protocol. */
export interface S3Keys {
  /** This key pair acts as service_role. */
  accessKeyId: string;
  secretAccessKey: string;
  /** The signing secret of requests that carry a session token. */
  anonKey: string;
}
