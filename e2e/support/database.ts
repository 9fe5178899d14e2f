/** Access to the database of an instance, for data that no page shows, or to avoid a separate process. */
import { readInstanceRecord } from '@greenroom/data-folder';
import { type Database, openDatabase } from '@greenroom/postgres';
import { sharedFolder } from './shared-instance.ts';

/** Lends a connection as superuser. `folder` is that of a separate instance; default: the shared one. */
export async function withDatabase<T>(
  folder: string | undefined,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const record = await readInstanceRecord(folder ?? sharedFolder());
  const url = record?.credentials?.adminDatabaseUrl ?? '';
  const database = openDatabase({ url, max: 1, applicationName: 'e2e' });
  return use(database).finally(() => database.close());
}
