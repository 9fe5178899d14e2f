/** Rows of the grid, as the server returns them and the browser keeps them. */
import type { TableInfo } from './table-model.ts';

/** Characters of a value in the grid. */
export const MAX_CELL_CHARACTERS = 500;
/** Number of rows of a page. */
export const ROWS_PER_PAGE = 100;
/** Rows of a relation without a key that can be read: skipping rows costs as much as reading them. */
export const MAX_ROWS_WITHOUT_KEY = 10_000;

/** A row of the grid. */
export interface GridRow {
  /** Values of the key; empty if the relation has none. */
  key: readonly string[];
  /** Version of the row; empty if the relation has no key. */
  xmin: string;
  /** Position of the row in the order, see `position.ts`. */
  position: readonly (string | null)[];
  /** Values in the order of the columns, in PostgreSQL's text form; long ones are cut. */
  cells: readonly (string | null)[];
  /** Indexes of the columns whose values are cut. */
  cut: readonly number[];
}

/** A page of rows. */
export interface RowPage {
  rows: readonly GridRow[];
  /** Whether further rows follow in the direction that was read. */
  hasMore: boolean;
}

/**
 * Converts the rows of `rowsStatement`, which has read one row more than a page. `orderNames` are the columns of the order.
 */
export function toGridRow(
  table: Pick<TableInfo, 'key' | 'columns'>,
  orderNames: readonly string[],
  values: readonly (string | null)[],
): GridRow {
  const hasKey = table.key.length > 0;
  const start = hasKey ? 1 : 0;
  const order = values.slice(start, start + orderNames.length);
  const all = values.slice(start + orderNames.length);
  const key = table.key.map((name) => order[orderNames.indexOf(name)] ?? '');
  const cells = all.map(cutValue);
  const cut = cells.flatMap((cell, index) => (cell === all[index] ? [] : [index]));
  const first = all[table.columns.findIndex(({ name }) => name === orderNames[0])];
  // The value of the sorted column is missing if it is too long for a position.
  const isTooLong = hasKey && order[0] === null && first !== null && first !== undefined;
  return { key, xmin: hasKey ? (values[0] ?? '') : '', position: isTooLong ? key : order, cells, cut };
}

/** PostgreSQL counts characters, and JavaScript halves of some. */
function cutValue(value: string | null): string | null {
  if (value === null || value.length <= MAX_CELL_CHARACTERS) return value;
  const characters = [...value];
  return characters.length > MAX_CELL_CHARACTERS ? characters.slice(0, MAX_CELL_CHARACTERS).join('') : value;
}
