/** What storage needs in a database. */
import type { MigrationSource } from '@greenroom/postgres';

/** Schema `storage`: buckets, objects, uploads in parts, and functions for policies. Runs after the platform's migrations. */
export const storageMigrations: MigrationSource = {
  service: 'storage',
  directory: new URL('./migrations/', import.meta.url),
  // 0006_lists_again.sql brings such databases up to date.
  otherChecksums: { '0002_lists': ['c690128b927cbd3b3cf20d2165666dcd06d20826763b1af1c7d3d63f6bf787ab'] },
};
