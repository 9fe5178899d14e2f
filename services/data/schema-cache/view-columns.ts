/** Maps columns of views to the table columns that they show, also through nested views. */
import type { Statement } from '@greenroom/postgres';
import type { KeyColumn } from './keys.ts';
import { type ColumnOrigin, parseColumnOrigins } from './node-tree.ts';
import type { QualifiedName } from './schema-cache.ts';

/** A row of {@link viewsQuery}. */
export interface ViewRow {
  oid: number;
  schema: string;
  name: string;
  is_exposed: boolean;
  tree: string;
  columns: { number: number; name: string }[];
}

/** A view whose columns have been traced to their tables. */
export interface TracedView extends QualifiedName {
  /** Returns the columns of the view that show a table column, in order. Empty if the view does not show it. */
  columnsOf(column: KeyColumn): readonly string[];
}

/** Returns the query for views of the exposed schemas, and of schemas that exposed views may be built on. */
export function viewsQuery(schemas: readonly string[], extraSearchPath: readonly string[]): Statement {
  return {
    text: `
      select c.oid, n.nspname::text as schema, c.relname::text as name,
        n.nspname = any ($1) as is_exposed, rule.ev_action::text as tree,
        (
          select coalesce(json_agg(json_build_object('number', attnum, 'name', attname)), '[]')
          from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
        ) as columns
      from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_rewrite rule on rule.ev_class = c.oid and rule.ev_type = '1'
      where c.relkind in ('v', 'm') and (n.nspname = any ($1) or n.nspname = any ($2))
      order by 2, 3`,
    values: [schemas, extraSearchPath],
  };
}

/** Traces the columns of all views of the exposed schemas to their tables. */
export function traceViews(rows: readonly ViewRow[]): TracedView[] {
  const originsByView = new Map(rows.map((row) => [row.oid, originsOf(row)]));
  return rows.filter((row) => row.is_exposed).map((row) => traceView(row, originsByView));
}

type Origins = ReadonlyMap<number, ColumnOrigin>;

function originsOf({ tree }: ViewRow): Origins {
  return new Map(parseColumnOrigins(tree).map((origin) => [origin.column, origin]));
}

function traceView(row: ViewRow, originsByView: ReadonlyMap<number, Origins>): TracedView {
  const shown = new Map<string, string[]>();
  const columns = [...row.columns].sort((a, b) => a.number - b.number);
  for (const { number, name } of columns) {
    const end = followColumn(row.oid, number, originsByView);
    if (end === undefined) continue;
    const key = `${end.table}.${end.tableColumn}`;
    shown.set(key, [...(shown.get(key) ?? []), name]);
  }
  return {
    schema: row.schema,
    name: row.name,
    columnsOf: ({ table, number }) => shown.get(`${table}.${number}`) ?? [],
  };
}

/** Follows a column through nested views. Detects cycles, although PostgreSQL does not normally allow cyclic views. */
function followColumn(
  view: number,
  column: number,
  originsByView: ReadonlyMap<number, Origins>,
): ColumnOrigin | undefined {
  const visited = new Set([view]);
  let origin = originsByView.get(view)?.get(column);
  while (origin !== undefined) {
    const origins = originsByView.get(origin.table);
    if (origins === undefined) return origin;
    if (visited.has(origin.table)) return undefined;
    visited.add(origin.table);
    origin = origins.get(origin.tableColumn);
  }
  return undefined;
}
