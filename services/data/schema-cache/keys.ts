/** Loads the keys of all schemas, because a view in an exposed schema may show a key of a hidden schema. */
import type { Statement } from '@greenroom/postgres';
import type { QualifiedName } from './schema-cache.ts';

/** A column of a key. Views refer to it by the oid of its table and its number. */
export interface KeyColumn {
  table: number;
  number: number;
  name: string;
}

export interface PrimaryKey {
  table: QualifiedName;
  columns: readonly KeyColumn[];
}

/** A foreign key. The columns of both sides have the same order. */
export interface ForeignKey {
  constraint: string;
  from: QualifiedName;
  to: QualifiedName;
  fromColumns: readonly KeyColumn[];
  toColumns: readonly KeyColumn[];
  /** Whether at most one row refers to each row, because the columns form a primary key or a unique constraint. */
  isUnique: boolean;
}

/** A row of {@link keysQuery}. */
export interface KeyRow {
  kind: 'p' | 'u' | 'f';
  name: string;
  is_copy: boolean;
  table_oid: number;
  schema: string;
  table: string;
  columns: ColumnOfKey[];
  other_oid: number;
  other_schema: string | null;
  other_table: string | null;
  other_columns: ColumnOfKey[];
}

interface ColumnOfKey {
  number: number;
  name: string;
}

/** Returns the query for the keys of all schemas except PostgreSQL's own. */
export function keysQuery(): Statement {
  const columns = (table: string, numbers: string) => `(
    select coalesce(json_agg(json_build_object('number', a.attnum, 'name', a.attname) order by ord), '[]')
    from unnest(${numbers}) with ordinality as key (number, ord)
      join pg_attribute a on a.attrelid = ${table} and a.attnum = key.number
  )`;
  return {
    text: `
      select con.contype::text as kind, con.conname::text as name, con.conparentid <> 0 as is_copy,
        con.conrelid as table_oid, n.nspname::text as schema, c.relname::text as table,
        ${columns('con.conrelid', 'con.conkey')} as columns,
        con.confrelid as other_oid, other_n.nspname::text as other_schema,
        other_c.relname::text as other_table,
        ${columns('con.confrelid', 'con.confkey')} as other_columns
      from pg_constraint con
        join pg_class c on c.oid = con.conrelid
        join pg_namespace n on n.oid = c.relnamespace
        left join pg_class other_c on other_c.oid = con.confrelid
        left join pg_namespace other_n on other_n.oid = other_c.relnamespace
      where con.contype in ('p', 'u', 'f')
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      order by schema, "table", name`,
  };
}

/** Converts the rows of {@link keysQuery}. Omits foreign keys that partitions inherit from their partitioned table. */
export function readKeys(rows: readonly KeyRow[]): { primaryKeys: PrimaryKey[]; foreignKeys: ForeignKey[] } {
  const uniqueSets = new Set(
    rows.filter((row) => row.kind !== 'f').map((row) => setOf(row.table_oid, row.columns)),
  );
  const primaryKeys = rows
    .filter((row) => row.kind === 'p')
    .map((row) => ({ table: tableOf(row), columns: columnsOf(row.table_oid, row.columns) }));
  const foreignKeys = rows
    .filter((row) => row.kind === 'f' && !row.is_copy)
    .flatMap((row) => {
      const to = otherOf(row);
      if (to === undefined) return [];
      const isUnique = uniqueSets.has(setOf(row.table_oid, row.columns));
      return [
        {
          constraint: row.name,
          from: tableOf(row),
          to,
          fromColumns: columnsOf(row.table_oid, row.columns),
          toColumns: columnsOf(row.other_oid, row.other_columns),
          isUnique,
        },
      ];
    });
  return { primaryKeys, foreignKeys };
}

/** Returns a key of a set of columns, independent of their order, which is irrelevant for uniqueness. */
function setOf(table: number, columns: readonly ColumnOfKey[]): string {
  const numbers = columns.map(({ number }) => number).sort((a, b) => a - b);
  return `${table}:${numbers.join()}`;
}

function tableOf({ schema, table }: KeyRow): QualifiedName {
  return { schema, name: table };
}

/** Returns undefined if the other table was dropped between two reads of the catalogs. */
function otherOf({ other_schema: schema, other_table: name }: KeyRow): QualifiedName | undefined {
  return schema === null || name === null ? undefined : { schema, name };
}

function columnsOf(table: number, columns: readonly ColumnOfKey[]): KeyColumn[] {
  return columns.map(({ number, name }) => ({ table, number, name }));
}
