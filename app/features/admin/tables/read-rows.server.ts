/** Reads pages of rows, single rows and whole values. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import { valueStatement } from './change-sql.ts';
import { type GridRow, MAX_ROWS_WITHOUT_KEY, ROWS_PER_PAGE, type RowPage, toGridRow } from './grid-rows.ts';
import { parsePosition } from './position.ts';
import { orderColumns, positionLengths, type RowsRequest, rowStatement, rowsStatement } from './rows-sql.ts';
import { readRows } from './run-statement.server.ts';
import type { Selection, Sort } from './table-address.ts';
import { columnOf, type TableInfo } from './table-model.ts';

/** Where a page begins. */
interface PagePlace {
  after?: string | undefined;
  before?: string | undefined;
  /** Number of rows to skip, for relations without a key. */
  offset?: number;
}

/** Reads a page; undefined if its place is invalid. Rejects with `SqlRefusal`, `FilterError` or `MetaError`. */
export async function readPage(
  meta: MetaClient,
  table: TableInfo,
  { filters, sort }: Pick<Selection, 'filters' | 'sort'>,
  place: PagePlace,
): Promise<RowPage | undefined> {
  const checkedSort = sort && columnOf(table, sort.column)?.isSortable ? sort : undefined;
  const from = startOf(table, checkedSort, place);
  if (from === 'invalid') return undefined;
  const hasKey = table.key.length > 0;
  const offset = hasKey ? 0 : Math.min(place.offset ?? 0, MAX_ROWS_WITHOUT_KEY);
  const request: RowsRequest = { filters, sort: checkedSort, from, offset, limit: ROWS_PER_PAGE + 1 };
  const { rows: found } = await readRows(meta, rowsStatement(table, request));
  const names = orderColumns(table, checkedSort).map(({ name }) => name);
  const rows = found.slice(0, ROWS_PER_PAGE).map((values) => toGridRow(table, names, values));
  const isAtLimit = !hasKey && offset + ROWS_PER_PAGE >= MAX_ROWS_WITHOUT_KEY;
  return {
    rows: place.before === undefined ? rows : rows.toReversed(),
    hasMore: found.length > ROWS_PER_PAGE && !isAtLimit,
  };
}

/** Reads one row; undefined if it does not exist. */
export async function readRow(
  meta: MetaClient,
  table: TableInfo,
  { sort, key }: { sort: Sort | undefined; key: readonly string[] },
): Promise<GridRow | undefined> {
  const checkedSort = sort && columnOf(table, sort.column)?.isSortable ? sort : undefined;
  const { rows } = await readRows(meta, rowStatement(table, checkedSort, key));
  const names = orderColumns(table, checkedSort).map(({ name }) => name);
  return rows[0] && toGridRow(table, names, rows[0]);
}

/** A whole value with the version of its row. */
interface WholeValue {
  xmin: string;
  value: string | null;
}

/** Reads a whole value; undefined if the row does not exist. Rejects with `ColumnError` for an unknown column. */
export async function readValue(
  meta: MetaClient,
  table: TableInfo,
  key: readonly string[],
  column: string,
): Promise<WholeValue | undefined> {
  const { rows } = await readRows(meta, valueStatement(table, key, column));
  return rows[0] && { xmin: rows[0][0] ?? '', value: rows[0][1] ?? null };
}

function startOf(
  table: TableInfo,
  sort: Sort | undefined,
  { after, before }: PagePlace,
): RowsRequest['from'] | 'invalid' {
  const text = after ?? before;
  if (text === undefined || table.key.length === 0) return undefined;
  const position = parsePosition(text, positionLengths(table, sort));
  return position ? { side: after === undefined ? 'before' : 'after', position } : 'invalid';
}
