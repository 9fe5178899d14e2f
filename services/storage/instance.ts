/** Storage of one node: what its requests stand on. */

import type { Keys } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { Registry } from 'prom-client';
import { createCallerReader } from './caller.ts';
import type { Context, S3Keys } from './context.ts';
import { databaseInTurns, STORAGE_CONNECTIONS } from './database-turns.ts';
import { startExpiry } from './expiry.ts';
import { createStorageLimits } from './limits.ts';
import { createLinks } from './links.ts';
import { createStorageMetrics } from './metrics.ts';
import { expiredReservations } from './quotas/expiring.ts';
import { Quotas } from './quotas/quotas.ts';
import { restingInParts } from './s3/multipart/expiring.ts';
import type { StorageConfig } from './settings.ts';
import type { ObjectStore } from './store/object-store.ts';
import { Removals } from './store/removals.ts';
import { startSweeping } from './sweeping.ts';
import { restingResumable } from './tus/expiring.ts';

/** Options of {@link openStorage}. */
interface StorageOptions {
  config: StorageConfig;
  keys: Pick<Keys, 'verify'>;
  /** Signs links. */
  jwtSecret: string;
  /** Of the S3 protocol. */
  s3Keys: S3Keys;
  /** Logged in as supabase_storage_admin, with up to {@link STORAGE_CONNECTIONS}. */
  database: Database;
  store: ObjectStore;
  registry: Registry;
  log: Logger;
}

/** An open one. Database and store are closed by whoever has opened them. */
export interface StorageInstance {
  context: Context;
  /** Rejects where the database cannot be asked. */
  requireReady(): Promise<void>;
  /** Resolves when content that a crash has left over is in quarantine. It begins when the instance is opened. */
  untilSwept(): Promise<void>;
  /** Breaks off what the instance does by itself, but waits for content that is being removed. */
  close(): Promise<void>;
}

/** Opens it. */
export function openStorage(options: StorageOptions): StorageInstance {
  const { config, keys, jwtSecret, s3Keys, store, registry, log } = options;
  const database = databaseInTurns(options.database, STORAGE_CONNECTIONS);
  const context: Context = {
    config,
    database,
    store,
    keys,
    readCaller: createCallerReader(keys),
    links: createLinks(jwtSecret),
    removals: new Removals(),
    quotas: new Quotas({ config: config.quotas, database, log }),
    limits: createStorageLimits(),
    s3Keys,
    metrics: createStorageMetrics(registry),
    log,
  };
  const sweeping = startSweeping(context);
  const stopExpiry = [restingResumable(context), restingInParts(context), expiredReservations(context)].map(
    (uploads) => startExpiry(uploads, log),
  );
  return {
    context,
    untilSwept: () => sweeping.untilSwept(),
    async close() {
      context.quotas.close();
      await Promise.all([sweeping.stop(), ...stopExpiry.map((stop) => stop()), context.removals.settled()]);
    },
    async requireReady() {
      await database.query({ text: 'select from storage.buckets limit 1', name: 'storage_ready' });
    },
  };
}
