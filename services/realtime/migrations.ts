/** What realtime needs in a database. */
import type { MigrationSource } from '@greenroom/postgres';

/** Schema `realtime`, its functions and the publications. Runs after the platform's own migrations. */
export const realtimeMigrations: MigrationSource = {
  service: 'realtime',
  directory: new URL('./migrations/', import.meta.url),
};
