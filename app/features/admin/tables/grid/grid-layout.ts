/** Places of the visible columns, shared by the header and all rows. */
import type { TableColumn } from '../table-model.ts';

/** Pixels. */
export const ROW_HEIGHT = 33;
export const HEAD_HEIGHT = 37;
/** Width of the column that selects rows. */
export const SELECT_WIDTH = 44;

/** A visible column. */
export interface PlacedColumn {
  /** Index among the shown columns. */
  place: number;
  /** Index in the relation. */
  index: number;
  column: TableColumn;
  start: number;
  width: number;
}

/** Returns the id of a cell's element. */
export function cellId({ row, column }: { row: number; column: number }): string {
  return `cell-${row}-${column}`;
}

/**
 * Attributes of a virtual row, whose position elements of tables do not allow. @param number counts from 1, with the header
 */
export function rowRole(number: number, isSelected?: boolean) {
  const selected = isSelected !== undefined && { 'aria-selected': isSelected };
  return { role: 'row', tabIndex: -1, 'aria-rowindex': number, ...selected } as const;
}

/** Attributes of a cell. @param number counts from 1, with the column that selects rows */
export function cellRole(number: number) {
  return { role: 'gridcell', tabIndex: -1, 'aria-colindex': number } as const;
}

/** Attributes of the head of a column. */
export function headRole(
  number: number,
  { label, order }: { label?: string; order?: 'ascending' | 'descending' | 'none' },
) {
  const sort = order && { 'aria-sort': order };
  const name = label !== undefined && { 'aria-label': label };
  return { role: 'columnheader', tabIndex: -1, 'aria-colindex': number, ...sort, ...name } as const;
}
