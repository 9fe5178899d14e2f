/** Queries of the catalog: the list of relations, and everything about one of them. */
import type { ColumnKind, RelationKind } from './table-model.ts';

/** The kind of a relation, as {@link RelationKind}. */
export const KINDS = `case c.relkind when 'r' then 'table' when 'p' then 'partitioned' when 'v' then 'view'
  when 'm' then 'materialized' else 'foreign' end`;

/** Relations of all schemas but those of PostgreSQL itself. */
export const OWN_RELATIONS = `pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
  and n.nspname !~ '^pg_(toast|temp)' and n.nspname not in ('pg_catalog', 'information_schema')`;

/** The list of relations. Columns: those of {@link RelationRow}. */
export const RELATIONS = `
select n.nspname as schema, c.relname as name, ${KINDS} as kind,
  case when c.relkind in ('r', 'm') and c.reltuples >= 0 then c.reltuples::float8 end as rows,
  case when c.relkind in ('r', 'm') then coalesce(pg_total_relation_size(c.oid), 0) else 0 end::float8 as bytes,
  c.relrowsecurity as has_rls
from ${OWN_RELATIONS}
order by n.nspname <> 'public', n.nspname, c.relname`;

/** A row of {@link RELATIONS}. */
export interface RelationRow {
  schema: string;
  name: string;
  kind: RelationKind;
  rows: number | null;
  bytes: number;
  has_rls: boolean;
}

const COLUMNS = `
(select coalesce(jsonb_agg(jsonb_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, -1),
    'shown_type', format_type(a.atttypid, a.atttypmod),
    'base_type', base.typname,
    'category', base.typcategory,
    'is_enum', base.typtype = 'e',
    'element_type', case when base.typcategory = 'A' then format_type(base.typelem, -1) end,
    'is_nullable', not (a.attnotnull or t.typnotnull),
    'default', pg_get_expr(d.adbin, d.adrelid),
    'generated', a.attgenerated,
    'identity', a.attidentity,
    'labels', (select coalesce(jsonb_agg(e.enumlabel order by e.enumsortorder), '[]') from pg_catalog.pg_enum e
      where e.enumtypid = base.oid),
    'comment', col_description(c.oid, a.attnum)
  ) order by a.attnum), '[]')
from pg_catalog.pg_attribute a
join pg_catalog.pg_type t on t.oid = a.atttypid
join pg_catalog.pg_type base on base.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

/** The primary key, or the smallest unique index that has no nulls and covers all rows. */
const KEY = `
(select (select jsonb_agg(a.attname order by k.place)
    from unnest(i.indkey::int2[]) with ordinality k (attnum, place)
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where k.place <= i.indnkeyatts)
  from pg_catalog.pg_index i
  where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
    and i.indpred is null and i.indexprs is null
    and not exists (select from unnest(i.indkey::int2[]) with ordinality k (attnum, place)
      left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where k.place <= i.indnkeyatts and a.attnotnull is not true)
  order by i.indisprimary desc, i.indnkeyatts, i.indexrelid limit 1)`;

const FOREIGN_KEYS = `
(select coalesce(jsonb_agg(jsonb_build_object(
    'columns', (select jsonb_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality k (attnum, place)
      join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum),
    'schema', rn.nspname,
    'table', rc.relname,
    'references', (select jsonb_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality k (attnum, place)
      join pg_catalog.pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum)
  ) order by f.conname), '[]')
from pg_catalog.pg_constraint f
join pg_catalog.pg_class rc on rc.oid = f.confrelid
join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
where f.conrelid = c.oid and f.contype = 'f')`;

const CASCADES = `
(select coalesce(jsonb_agg(distinct rn.nspname || '.' || rc.relname), '[]')
from pg_catalog.pg_constraint f
join pg_catalog.pg_class rc on rc.oid = f.conrelid
join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
where f.confrelid = c.oid and f.contype = 'f' and f.confdeltype in ('c', 'n', 'd') and f.conparentid = 0)`;

/** One relation, named by `$1` and `$2`. Columns: those of {@link TableRow}. */
export const TABLE = `
select n.nspname as schema, c.relname as name, ${KINDS} as kind, c.relrowsecurity as has_rls,
  pg_get_userbyid(c.relowner) as owner,
  has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update') as may_write,
  ${COLUMNS} as columns, coalesce(${KEY}, '[]') as key, ${FOREIGN_KEYS} as foreign_keys, ${CASCADES} as cascades
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1::text and c.relname = $2::text and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

/** A column as {@link TABLE} describes it. */
export interface ColumnRow {
  name: string;
  type: string;
  shown_type: string;
  base_type: string;
  category: string;
  is_enum: boolean;
  element_type: string | null;
  is_nullable: boolean;
  default: string | null;
  generated: string;
  identity: string;
  labels: string[];
  comment: string | null;
}

const BY_BASE_TYPE: Readonly<Record<string, ColumnKind>> = {
  bool: 'boolean',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'bytea',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  time: 'time',
  timetz: 'time',
  citext: 'text',
  xml: 'other',
  money: 'other',
};

/** Types without an order. */
const UNSORTABLE = new Set([
  'json',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'xid',
  'cid',
  'jsonpath',
  'aclitem',
  'pg_snapshot',
  'txid_snapshot',
  'refcursor',
]);

/** Returns the kind of a column. */
export function kindOf({
  base_type,
  category,
  is_enum,
}: Pick<ColumnRow, 'base_type' | 'category' | 'is_enum'>): ColumnKind {
  if (is_enum) return 'enum';
  if (category === 'A') return 'array';
  const known = BY_BASE_TYPE[base_type];
  if (known) return known;
  if (category === 'N') return base_type.startsWith('reg') ? 'other' : 'number';
  return category === 'S' ? 'text' : 'other';
}

/** Returns whether rows can be sorted by a column. Arrays are named by their elements. */
export function isSortable({ base_type }: Pick<ColumnRow, 'base_type'>): boolean {
  return !UNSORTABLE.has(base_type.replace(/^_/, ''));
}
