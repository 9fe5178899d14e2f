/** Reads the catalog about one table. */
import type { Session } from '@greenroom/postgres';
import type { TableSelection } from './selection.ts';

/** A column. */
export interface Column {
  name: string;
  /** The name as PostgreSQL writes it. */
  quoted: string;
  /** E.g. `character varying(20)` or `public.mood[]`. */
  type: string;
  /** `schema.name` of the type, quoted. */
  typeId: string;
  isGenerated: boolean;
  /** Whether inserted values need OVERRIDING SYSTEM VALUE. */
  isAlwaysIdentity: boolean;
}

/** A relation. */
export interface TableDescription {
  oid: number;
  /** `schema.name` as PostgreSQL writes it. */
  quoted: string;
  /** A value of pg_class.relkind. */
  kind: string;
  columns: readonly Column[];
  /** Columns of the primary key as PostgreSQL writes them; empty if there is none. */
  primaryKey: readonly string[];
  /** The persistence and kind of the relation and its partitions, e.g. `pr`. */
  storages: readonly string[];
}

const RELATION = `
  select c.oid, c.relkind::text as kind,
    pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) as quoted,
    array(
      select pg_catalog.quote_ident(a.attname)
      from pg_catalog.pg_constraint k
      cross join lateral unnest(k.conkey) with ordinality as key (number, place)
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = key.number
      where k.conrelid = c.oid and k.contype = 'p' order by key.place
    ) as "primaryKey",
    array(
      select distinct part.relpersistence::text || part.relkind::text
      from pg_catalog.pg_class part
      where part.oid = c.oid or part.oid in (select tree.relid from pg_catalog.pg_partition_tree(c.oid) as tree)
    ) as storages
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2`;

const COLUMNS = `
  select a.attname as name, pg_catalog.quote_ident(a.attname) as quoted,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as type,
    pg_catalog.quote_ident(tn.nspname) || '.' || pg_catalog.quote_ident(t.typname) as "typeId",
    a.attgenerated <> '' as "isGenerated", a.attidentity = 'a' as "isAlwaysIdentity"
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
  where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/** Returns undefined if there is no relation of this name. The search path must be pg_catalog, so that types have schemas. */
export async function describeTable(
  session: Session,
  { schema, name }: Pick<TableSelection, 'schema' | 'name'>,
): Promise<TableDescription | undefined> {
  const values = [schema, name];
  const [[relation] = [], columns = []] = await session.batch([
    { text: RELATION, values },
    { text: COLUMNS, values },
  ]);
  if (relation === undefined) return undefined;
  return { ...(relation as unknown as TableDescription), columns: columns as unknown as Column[] };
}
