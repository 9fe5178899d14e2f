/** Storage of one node: what its requests stand on. */
import type { StorageConfig } from '@greenroom/config';
import type { Logger } from '@greenroom/http';
import type { Keys } from '@greenroom/keys';
import type { Database } from '@greenroom/postgres';
import { createCallerReader } from './caller.ts';
import type { Context, S3Keys } from './context.ts';
import { createLinks } from './objects/links.ts';
import type { ObjectStore } from './store/object-store.ts';

/** Options of {@link openStorage}. */
export interface StorageOptions {
  config: StorageConfig;
  keys: Pick<Keys, 'verify'>;
  /** Signs links. */
  jwtSecret: string;
  /** Of the S3 protocol. */
  s3Keys: S3Keys;
  /** Logged in as supabase_storage_admin. */
  database: Database;
  store: ObjectStore;
  log: Logger;
}

/** An open one. Database and store are closed by whoever has opened them. */
export interface StorageInstance {
  context: Context;
  /** Rejects where the database cannot be asked. */
  requireReady(): Promise<void>;
}

/** Opens it. */
export function openStorage(options: StorageOptions): StorageInstance {
  const { config, keys, jwtSecret, s3Keys, database, store, log } = options;
  const context: Context = {
    config,
    database,
    store,
    keys,
    readCaller: createCallerReader(keys),
    links: createLinks(jwtSecret),
    s3Keys,
    log,
  };
  return {
    context,
    async requireReady() {
      await database.query({ text: 'select from storage.buckets limit 1', name: 'storage_ready' });
    },
  };
}
