/** What every request of storage stands on. */
import type { StorageConfig } from '@greenroom/config';
import type { Logger } from '@greenroom/http';
import type { Keys } from '@greenroom/keys';
import type { Database } from '@greenroom/postgres';
import type { ObjectStore } from './store/object-store.ts';

/** One for each instance. */
export interface Context {
  config: StorageConfig;
  /** Logged in as supabase_storage_admin, which owns the tables and can become the roles of requests. */
  database: Database;
  store: ObjectStore;
  keys: Pick<Keys, 'verify' | 'sign'>;
  log: Logger;
}
