/** Reads the names of the database for completion. Bounded: a database may have any number of tables. */
import type { MetaClient } from '../../../../session/meta-client.server.ts';
import type { DatabaseSchema, SchemaName, SchemaTable } from './schema.ts';

const MAX_TABLES = 2000;
const MAX_FUNCTIONS = 4000;
const MAX_TYPES = 2000;

const IS_SHOWN = `n.nspname !~ '^pg_(toast|temp)'`;
/** The user's schemas first, `public` before others. */
const ORDER = `n.nspname in ('pg_catalog', 'information_schema'), n.nspname <> 'public', n.nspname`;

const SCHEMAS = `select n.nspname as name from pg_namespace n where ${IS_SHOWN} order by ${ORDER} limit 1000`;

const TABLES = `select n.nspname as schema, c.relname as name,
    case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
    coalesce((select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${IS_SHOWN}
  order by ${ORDER}, c.relname limit ${MAX_TABLES}`;

/** Functions for triggers and for the server itself cannot be called; those with an underscore are internal. */
const FUNCTIONS = `select distinct on (system, n.nspname, p.proname)
    n.nspname in ('pg_catalog', 'information_schema') as system, n.nspname as schema, p.proname as name,
    pg_get_function_arguments(p.oid) as arguments
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${IS_SHOWN} and p.proname !~ '^_'
    and p.prorettype not in ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
    and not 'internal'::regtype = any (p.proargtypes::oid[])
    and not (n.nspname = 'pg_catalog' and p.oid in (select oprcode from pg_operator))
  order by system, n.nspname, p.proname limit ${MAX_FUNCTIONS}`;

const TYPES = `select n.nspname as schema, t.typname as name
  from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
  where ${IS_SHOWN} and t.typtype in ('b', 'c', 'd', 'e', 'r', 'm') and (c.oid is null or c.relkind = 'c')
    and t.typname !~ '^_' and t.typname !~ '^pg_'
  order by ${ORDER}, t.typname limit ${MAX_TYPES}`;

interface TableRow {
  schema: string;
  name: string;
  kind: 'table' | 'view';
  columns: SchemaTable[3];
}

interface NameRow {
  schema: string;
  name: string;
  arguments?: string;
}

/** Reads the names. Rejects with `MetaError`. */
export async function loadSchema(meta: MetaClient): Promise<DatabaseSchema> {
  const [schemas, tables, functions, types] = await Promise.all([
    meta.rows<NameRow>(SCHEMAS),
    meta.rows<TableRow>(TABLES),
    meta.rows<NameRow>(FUNCTIONS),
    meta.rows<NameRow>(TYPES),
  ]);
  return {
    schemas: schemas.map(({ name }) => name),
    tables: tables.map(({ schema, name, kind, columns }) => [schema, name, kind, columns] as const),
    functions: functions.map((row): SchemaName => [row.schema, row.name, row.arguments ?? '']),
    types: types.map(({ schema, name }): SchemaName => [schema, name]),
  };
}
