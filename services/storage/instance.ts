/** Storage of one node: what its requests stand on. */
import type { StorageConfig } from '@greenroom/config';
import type { Logger } from '@greenroom/http';
import type { Keys } from '@greenroom/keys';
import type { Database } from '@greenroom/postgres';
import { createCallerReader } from './caller.ts';
import type { Context } from './context.ts';
import { createLinks } from './objects/links.ts';
import type { ObjectStore } from './store/object-store.ts';

/** Options of {@link openStorage}. */
export interface StorageOptions {
  config: StorageConfig;
  keys: Pick<Keys, 'verify' | 'derive'>;
  /** Signs links. */
  jwtSecret: string;
  anonKey: string;
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
  const { config, keys, jwtSecret, anonKey, database, store, log } = options;
  const context: Context = {
    config,
    database,
    store,
    keys,
    readCaller: createCallerReader(keys),
    links: createLinks(jwtSecret),
    s3: { ...s3KeysOf(config, keys), anonKey },
    log,
  };
  return {
    context,
    async requireReady() {
      await database.query({ text: 'select from storage.buckets limit 1', name: 'storage_ready' });
    },
  };
}

const ACCESS_KEY_BYTES = 16;

/** The configured pair, else one that is always the same for one instance. */
export function s3KeysOf(
  { s3Protocol }: Pick<StorageConfig, 's3Protocol'>,
  keys: Pick<Keys, 'derive'>,
): { accessKeyId: string; secretAccessKey: string } {
  const { accessKeyId, secretAccessKey } = s3Protocol;
  return {
    accessKeyId: accessKeyId ?? keys.derive('s3 access key id').subarray(0, ACCESS_KEY_BYTES).toString('hex'),
    secretAccessKey: secretAccessKey ?? keys.derive('s3 secret access key').toString('hex'),
  };
}
