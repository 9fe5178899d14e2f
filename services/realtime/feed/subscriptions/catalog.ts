/** Loads the definitions of tables and types that subscriptions and payloads need from PostgreSQL's catalogs. */
import type { FeedDatabase } from '../database.ts';

/** The publication whose tables clients can subscribe to. */
export const PUBLICATION = 'supabase_realtime';

/** The current definition of a column. */
export interface CatalogColumn {
  name: string;
  typeOid: number;
  /** `pg_attribute.attnum`, which is never reused within a table. */
  number: number;
  /** Whether the log contains its values. Only {@link loadTables} determines this. */
  isPublished: boolean;
  /** `pg_type.typname`. */
  typeName: string;
  /** The type in SQL, e.g. `character varying`. */
  typeText: string;
  /** OID of the base type of a domain, or of the type itself if it is not a domain. */
  baseTypeOid: number;
  /** OID of the array type; 0 if the type has none, as for arrays. */
  arrayOid: number;
  /** The quoted collation; null for the default collation or none. */
  collation: string | null;
  /** Whether texts are equal only if their bytes are equal. */
  isDeterministic: boolean;
  /** Whether the type supports `like`. */
  hasLike: boolean;
  /** Whether the type supports regular expressions. */
  hasRegex: boolean;
}

/** The current definition of a table. */
export interface CatalogTable {
  oid: number;
  schema: string;
  table: string;
  columns: readonly CatalogColumn[];
}

/** @param published SQL for the names of the published columns; null to leave them undetermined */
const tablesWith = (published: string) => `
  select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as table,
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname, 'typeOid', a.atttypid::int8, 'number', a.attnum, 'typeName', t.typname,
        'typeText', pg_catalog.format_type(a.atttypid, null), 'arrayOid', t.typarray::int8,
        'isPublished', coalesce(a.attname = any(${published}), a.attgenerated = ''),
        'baseTypeOid', base.oid::int8,
        'collation', case when co.collname <> 'default' then format('%I.%I', cn.nspname, co.collname) end,
        'isDeterministic', coalesce(co.collisdeterministic, true),
        'hasLike', base.oid = 1043 or exists (
          select from pg_catalog.pg_operator where oprname = '~~' and oprleft = base.oid and oprleft <> 17),
        'hasRegex', base.oid = 1043 or exists (
          select from pg_catalog.pg_operator where oprname = '~' and oprleft = base.oid and oprright in (25, base.oid) and oprresult = 16)
      ) order by a.attnum)
      from pg_catalog.pg_attribute a
        join pg_catalog.pg_type t on t.oid = a.atttypid
        join lateral (
          with recursive up as (
            select t.oid, t.typbasetype
            union all
            select b.oid, b.typbasetype from up join pg_catalog.pg_type b on b.oid = up.typbasetype
          )
          select oid from up where typbasetype = 0
        ) base on true
        left join pg_catalog.pg_collation co on co.oid = a.attcollation
        left join pg_catalog.pg_namespace cn on cn.oid = co.collnamespace
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace`;

const PUBLISHED_COLUMNS = `(
  select p.attnames from pg_catalog.pg_publication_tables p
  where p.pubname = $2 and p.schemaname = n.nspname and p.tablename = c.relname)::name[]`;

/** Loads tables by OID. Tables that no longer exist are missing in the result. */
export function loadTables(database: FeedDatabase, oids: readonly number[]): Promise<CatalogTable[]> {
  return database.query({
    text: `${tablesWith(PUBLISHED_COLUMNS)} where c.oid = any($1::oid[])`,
    values: [oids, PUBLICATION],
    name: 'tables by oid',
  });
}

/** Loads tables of a publication. `*` stands for all schemas or all tables. */
export function findPublishedTables(
  database: FeedDatabase,
  publication: string,
  schema: string,
  table: string,
): Promise<CatalogTable[]> {
  return database.query({
    text: `${tablesWith('null::name[]')}
      where ($2 = '*' or n.nspname = $2) and ($3 = '*' or c.relname = $3) and (n.nspname, c.relname) in (
        select schemaname, tablename from pg_catalog.pg_publication_tables where pubname = $1)
      order by 2, 3`,
    values: [publication, schema, table],
    name: 'published tables',
  });
}
