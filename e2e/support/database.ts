/** The database of an instance, for what no page shows, or what would take a process of its own. */
import { type Database, openDatabase } from '@greenroom/postgres';
import { readStatus } from './shared-instance.ts';

/** Lends a connection as superuser; `folder` is that of an instance of one's own. */
export async function withDatabase<T>(
  folder: string | undefined,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const { DB_URL: url = '' } = await readStatus(folder);
  const database = openDatabase({ url, max: 1, applicationName: 'e2e' });
  return use(database).finally(() => database.close());
}
