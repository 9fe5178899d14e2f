/** Access to the database of an instance, for data that no page shows, or to avoid a separate process. */
import { type Database, openDatabase } from '@greenroom/postgres';
import { readStatus } from './shared-instance.ts';

/** Lends a connection as superuser. `folder` is that of a separate instance; default: the shared one. */
export async function withDatabase<T>(
  folder: string | undefined,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const { DB_URL: url = '' } = await readStatus(folder);
  const database = openDatabase({ url, max: 1, applicationName: 'e2e' });
  return use(database).finally(() => database.close());
}
