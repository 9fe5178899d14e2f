/** The columns of the grid: their order, widths and visibility. */
import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { GridRow } from '../grid-rows.ts';
import type { TableColumn, TableInfo } from '../table-model.ts';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature, columnVisibilityFeature });
/** The virtual rows are not rows of the model, which has no place for rows that are not in memory. */
const NO_ROWS: GridRow[] = [];
const MIN_WIDTH = 64;
const MAX_WIDTH = 900;
const CHARACTER_WIDTH = 8;
const HEAD_PADDING = 72;

const WIDTHS: Readonly<Partial<Record<TableColumn['kind'], number>>> = {
  text: 220,
  number: 110,
  boolean: 90,
  json: 260,
  array: 200,
  enum: 130,
  date: 120,
  timestamp: 240,
  time: 120,
  uuid: 310,
  bytea: 160,
};

/** Returns the columns. */
export function useGridColumns(table: TableInfo) {
  const columns = useMemo(
    () =>
      table.columns.map((column, index) => ({
        id: column.name,
        accessorFn: (row: GridRow) => row.cells[index],
        size: widthOf(column),
        minSize: MIN_WIDTH,
        maxSize: MAX_WIDTH,
      })),
    [table],
  );
  return useTable({ features, columns, data: NO_ROWS, columnResizeMode: 'onEnd' });
}

/** The table of the library. */
export type GridColumns = ReturnType<typeof useGridColumns>;

/** Wide enough for the name of the column, too. */
function widthOf({ kind, name }: TableColumn): number {
  return Math.min(Math.max(WIDTHS[kind] ?? 160, name.length * CHARACTER_WIDTH + HEAD_PADDING), MAX_WIDTH);
}
