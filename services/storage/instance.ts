/** Composes the storage instance of one node: dependencies of requests and background jobs. */

import type { AccessTokens } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { ContentCopies } from '@greenroom/service';
import type { Registry } from 'prom-client';
import { createCallerReader } from './caller.ts';
import type { Context, S3Keys } from './context.ts';
import { startExpiry } from './expiry.ts';
import { createFairDatabase, STORAGE_CONNECTIONS } from './fair-database.ts';
import { createStorageLimits } from './limits.ts';
import { createLinks } from './links.ts';
import { createStorageMetrics } from './metrics.ts';
import { expiredReservations } from './quotas/expiring.ts';
import { Quotas } from './quotas/quotas.ts';
import { expiringMultipartUploads } from './s3/multipart/expiring.ts';
import type { StorageConfig } from './settings.ts';
import type { ObjectStore } from './store/object-store.ts';
import { Removals } from './store/removals.ts';
import { resumeRemovals } from './store/remove-content.ts';
import { Versions } from './store/versions.ts';
import { startSweeping } from './sweeping.ts';
import { expiringResumableUploads } from './tus/expiring.ts';
import { createUploadGroups } from './upload-groups/upload-groups.ts';

/** Options of {@link openStorage}. */
interface StorageOptions {
  config: StorageConfig;
  keys: Pick<AccessTokens, 'verify' | 'isFromThirdParty'>;
  /** Signs links for single objects. */
  jwtSecret: string;
  s3Keys: S3Keys;
  /** Logged in as supabase_storage_admin, with up to {@link STORAGE_CONNECTIONS}. */
  database: Database;
  store: ObjectStore;
  /** Default: content is not copied. */
  contentCopies?: ContentCopies | undefined;
  registry: Registry;
  log: Logger;
}

/** An open storage instance. It does not own its database and store: the caller of {@link openStorage} closes them. */
export interface StorageInstance {
  context: Context;
  /** Applies other limits to the next requests. */
  configure(config: StorageConfig): void;
  /** Rejects if a query of the database fails. */
  requireReady(): Promise<void>;
  /** Resolves when the sweep of the start is over, which moves content without a row to quarantine. */
  waitForSweep(): Promise<void>;
  /** Resolves when no background job of the start runs statements any more. */
  waitForStartJobs(): Promise<void>;
  /** Aborts background jobs, and waits for content that is being removed. */
  close(): Promise<void>;
}

/** Creates the dependencies of requests and starts the background jobs. */
export function openStorage(options: StorageOptions): StorageInstance {
  const { config, keys, jwtSecret, s3Keys, store, registry, log } = options;
  const database = createFairDatabase(options.database, STORAGE_CONNECTIONS);
  const context: Context = {
    config,
    database,
    store,
    contentCopies: options.contentCopies,
    versions: new Versions(),
    keys,
    readCaller: createCallerReader(keys),
    links: createLinks(jwtSecret),
    removals: new Removals(),
    quotas: new Quotas({ config: config.quotas, database, log }),
    uploadGroups: createUploadGroups(() => context.database),
    limits: createStorageLimits(),
    s3Keys,
    metrics: createStorageMetrics(registry),
    log,
  };
  resumeRemovals(context);
  const sweeping = startSweeping(context);
  const expiring = [
    expiringResumableUploads(context),
    expiringMultipartUploads(context),
    expiredReservations(context),
  ];
  const expiry = startExpiry(expiring, { after: sweeping.waitForSweep(), log });
  return {
    context,
    configure(next) {
      context.config = next;
      context.quotas.configure(next.quotas);
    },
    waitForSweep: () => sweeping.waitForSweep(),
    async waitForStartJobs() {
      await expiry.waitForFirstRun();
    },
    async close() {
      context.quotas.close();
      await Promise.all([sweeping.stop(), expiry.stop(), context.removals.settled()]);
    },
    async requireReady() {
      await database.query({ text: 'select from storage.buckets limit 1', name: 'storage_ready' });
    },
  };
}
