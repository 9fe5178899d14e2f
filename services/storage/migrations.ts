/** What storage needs in a database. */
import type { MigrationSource } from '@greenroom/postgres';

/** Schema `storage`: buckets, objects, uploads in parts, and functions for policies. Runs after the platform's migrations. */
export const storageMigrations: MigrationSource = {
  service: 'storage',
  directory: new URL('./migrations/', import.meta.url),
};
