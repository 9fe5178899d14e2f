/** Loads the relations of the exposed schemas with their columns. {@link ./keys.ts} loads the keys. */
import type { Statement } from '@greenroom/postgres';
import { type Column, keyOf, type Relation } from './schema-cache.ts';

/** A row of {@link relationsQuery}. */
export interface RelationRow {
  schema: string;
  name: string;
  description: string | null;
  is_view: boolean;
  /** The bit mask of `pg_relation_is_updatable`. */
  events: number;
  columns: ColumnRow[];
}

interface ColumnRow {
  name: string;
  description: string | null;
  is_nullable: boolean;
  type: string;
  base_type: string;
  max_length: number | null;
  default: string | null;
  enum_labels: string[];
}

/**
 * Bits of `pg_relation_is_updatable`: `1 << CMD_UPDATE`, `1 << CMD_INSERT` and `1 << CMD_DELETE` in PostgreSQL's
 * source.
 */
const UPDATE = 4;
const INSERT = 8;
const DELETE = 16;

/**
 * Returns the query for relations. Omits partitions, which clients access through their partitioned table. Does not call
 * `pg_relation_is_updatable` for a foreign table whose wrapper has no handler, because the call would fail.
 */
export function relationsQuery(schemas: readonly string[]): Statement {
  return {
    text: `
      with recursive domain_chain as (
        select oid, typbasetype as base, typtypmod as modifier, typnotnull as not_null
        from pg_type where typtype = 'd'
        union all
        select outside.oid, inside.typbasetype,
          case when inside.typtypmod = -1 then outside.modifier else inside.typtypmod end,
          outside.not_null or inside.typnotnull
        from domain_chain outside
          join pg_type inside on inside.oid = outside.base and inside.typtype = 'd'
      ),
      domains as (
        select chain.* from domain_chain chain join pg_type base on base.oid = chain.base
        where base.typtype <> 'd'
      ),
      exposed as (
        select c.oid, n.nspname, c.relname, c.relkind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = any ($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
      ),
      typed as (
        select a.*, t.typname, t.typdefaultbin, t.typnamespace, t.typbasetype <> 0 as is_domain,
          coalesce(d.base, a.atttypid) as base,
          case when d.oid is null then a.atttypmod else d.modifier end as modifier,
          a.attnotnull or coalesce(d.not_null, false) as is_required
        from exposed e
          join pg_attribute a on a.attrelid = e.oid and a.attnum > 0 and not a.attisdropped
          join pg_type t on t.oid = a.atttypid
          left join domains d on d.oid = a.atttypid
      ),
      described as (
        select a.attrelid, a.attnum, json_build_object(
          'name', a.attname,
          'description', description.description,
          'is_nullable', not a.is_required,
          'type', format_type(a.atttypid, a.atttypmod),
          'base_type', format_type(a.base,
            case when base.typnamespace = 'pg_catalog'::regnamespace then null else a.modifier end),
          'max_length', case
            when a.modifier < 0 then null
            when a.base in ('bpchar'::regtype, 'varchar'::regtype) then a.modifier - 4
            when a.base in ('bit'::regtype, 'varbit'::regtype) then a.modifier
          end,
          'default', case
            when a.attidentity = 'd' then format('nextval(%L)', identity.objid::regclass)
            when a.attidentity <> '' or a.attgenerated <> '' then null
            when value.adbin is not null then pg_get_expr(value.adbin, value.adrelid)
            when a.is_domain then pg_get_expr(a.typdefaultbin, 0)
          end,
          'enum_labels', coalesce((
            select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = a.base
          ), '[]')
        ) as value
        from typed a
          join pg_type base on base.oid = a.base
          left join pg_attrdef value on value.adrelid = a.attrelid and value.adnum = a.attnum
          left join pg_description description on description.classoid = 'pg_class'::regclass
            and description.objoid = a.attrelid and description.objsubid = a.attnum
          left join pg_depend identity on a.attidentity = 'd' and identity.deptype = 'i'
            and identity.classid = 'pg_class'::regclass and identity.refclassid = 'pg_class'::regclass
            and identity.refobjid = a.attrelid and identity.refobjsubid = a.attnum
      ),
      columns as (
        select attrelid, json_agg(value order by attnum) as list from described group by attrelid
      )
      select e.nspname::text as schema, e.relname::text as name,
        obj_description(e.oid, 'pg_class') as description,
        e.relkind in ('v', 'm') as is_view,
        case
          when e.relkind in ('r', 'p') then ${UPDATE | INSERT | DELETE}
          when e.relkind = 'v' then pg_relation_is_updatable(e.oid, true)
          when e.relkind = 'f' and exists (
            select from pg_foreign_table f
              join pg_foreign_server s on s.oid = f.ftserver
              join pg_foreign_data_wrapper w on w.oid = s.srvfdw
            where f.ftrelid = e.oid and w.fdwhandler <> 0
          ) then pg_relation_is_updatable(e.oid, true)
          else 0
        end as events,
        coalesce(columns.list, '[]') as columns
      from exposed e left join columns on columns.attrelid = e.oid
      order by 1, 2`,
    values: [schemas],
  };
}

/** Returns relations by key. `primaryKeyOf` returns the columns of the primary key, or an empty list if there is none. */
export function readRelations(
  rows: readonly RelationRow[],
  primaryKeyOf: (key: string) => readonly string[],
): Map<string, Relation> {
  return new Map(
    rows.map((row) => {
      const key = keyOf(row);
      return [key, readRelation(row, [...primaryKeyOf(key)].sort())];
    }),
  );
}

function readRelation(row: RelationRow, primaryKey: readonly string[]): Relation {
  return {
    schema: row.schema,
    name: row.name,
    description: row.description,
    isView: row.is_view,
    isInsertable: (row.events & INSERT) !== 0,
    isUpdatable: (row.events & UPDATE) !== 0,
    isDeletable: (row.events & DELETE) !== 0,
    primaryKey,
    columns: new Map(row.columns.map((column) => [column.name, readColumn(column)])),
  };
}

function readColumn(row: ColumnRow): Column {
  return {
    name: row.name,
    description: row.description,
    isNullable: row.is_nullable,
    type: row.type,
    baseType: row.base_type,
    maxLength: row.max_length,
    default: row.default,
    enumLabels: row.enum_labels,
  };
}
