/** A restore writes only into a database without objects. */
import { ArchiveError } from '../errors.ts';
import type { RestoreConnection } from './restore-connection.ts';

/** Objects of extensions do not count: the operator of a server may have created some. */
const OBJECTS = `
  select distinct nspname || '.' || name from (
    select 'pg_catalog.pg_class'::regclass as class, oid, relnamespace as namespace, relname as name
      from pg_catalog.pg_class where relkind <> 'i'
    union all
    select 'pg_catalog.pg_proc'::regclass, oid, pronamespace, proname from pg_catalog.pg_proc
    union all
    select 'pg_catalog.pg_type'::regclass, oid, typnamespace, typname from pg_catalog.pg_type where typtype in ('d', 'e', 'r')
  ) object
  join pg_catalog.pg_namespace on pg_namespace.oid = namespace
  where nspname !~ '^pg_' and nspname <> 'information_schema'
    and not exists (
      select from pg_catalog.pg_depend where classid = class and objid = object.oid and deptype = 'e'
    )
  order by 1 limit 4`;
const SHOWN = 3;

/** Throws if the database has tables, functions or types. */
export async function requireEmptyDatabase(connection: Pick<RestoreConnection, 'run'>): Promise<void> {
  const { rows } = await connection.run(OBJECTS);
  if (rows.length === 0) return;
  const names = rows.slice(0, SHOWN).map(([name]) => name);
  throw new ArchiveError(
    'refused',
    `the database of DATABASE_URL is not empty: it has ${names.join(', ')}${rows.length > SHOWN ? ' and others' : ''}. A restore does not remove data. Create another database on the server (create database shop_restored), and set DATABASE_URL to it.`,
  );
}
