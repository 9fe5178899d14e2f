/** Checks a restored database: its indexes against their tables. */
import { openSession } from '@greenroom/postgres';

/** Returns a sentence for each problem. @param url of the superuser; other roles cannot check indexes */
export async function checkDatabase(url: string): Promise<{ indexes: number; problems: string[] }> {
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  try {
    const [[role] = []] = await session.batch([
      { text: 'select rolsuper as superuser from pg_catalog.pg_roles where rolname = current_user' },
    ]);
    if (!role?.superuser) return { indexes: 0, problems: [] };
    // The extension exists only in this transaction.
    await session.batch([
      { text: 'begin' },
      { text: 'create schema greenroom_check' },
      { text: 'create extension amcheck schema greenroom_check' },
    ]);
    const [indexes = []] = await session.batch([
      {
        text: `select index.oid::int as oid, index.oid::regclass::text as name
          from pg_catalog.pg_class index
          join pg_catalog.pg_am method on method.oid = index.relam and method.amname = 'btree'
          join pg_catalog.pg_index info on info.indexrelid = index.oid and info.indisvalid
          where index.relkind = 'i' and index.relpersistence = 'p'`,
      },
    ]);
    const problems: string[] = [];
    for (const { oid, name } of indexes) {
      try {
        await session.batch([
          { text: 'savepoint one' },
          { text: `select greenroom_check.bt_index_check(${Number(oid)}, true)` },
          { text: 'release savepoint one' },
        ]);
      } catch (error) {
        problems.push(`index ${name}: ${(error as Error).message}`);
        await session.batch([{ text: 'rollback to savepoint one' }]);
      }
    }
    return { indexes: indexes.length, problems };
  } finally {
    await session.close();
  }
}
