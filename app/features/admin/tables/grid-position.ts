/** The active cell of the grid, and how keys move it. */

/** A cell by its row and its column. Column -1 selects rows, row -1 is the header. */
export interface CellPlace {
  row: number;
  column: number;
}

/** Bounds of the grid. */
interface Bounds {
  rows: number;
  columns: number;
  /** Number of rows that fit the view. */
  perPage: number;
}

/** Returns the cell after a key was pressed; undefined for keys that do not move. */
export function moveCell(
  { row, column }: CellPlace,
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { rows, columns, perPage }: Bounds,
): CellPlace | undefined {
  const toRow = (next: number) => ({ row: Math.min(Math.max(next, -1), rows - 1), column });
  const toColumn = (next: number) => ({ row, column: Math.min(Math.max(next, -1), columns - 1) });
  switch (key) {
    case 'ArrowUp':
      return ctrlKey ? toRow(0) : toRow(row - 1);
    case 'ArrowDown':
      return ctrlKey ? toRow(rows - 1) : toRow(row + 1);
    case 'ArrowLeft':
      return ctrlKey ? toColumn(0) : toColumn(column - 1);
    case 'ArrowRight':
      return ctrlKey ? toColumn(columns - 1) : toColumn(column + 1);
    case 'PageUp':
      return toRow(Math.max(row - perPage, 0));
    case 'PageDown':
      return toRow(row + perPage);
    case 'Home':
      return ctrlKey ? { row: 0, column: 0 } : toColumn(0);
    case 'End':
      return ctrlKey ? { row: rows - 1, column: columns - 1 } : toColumn(columns - 1);
    default:
      return undefined;
  }
}

/** Returns the cell after or before another one, row by row; undefined after the last and before the first one. */
export function nextCell(
  { row, column }: CellPlace,
  step: 1 | -1,
  { rows, columns }: Pick<Bounds, 'rows' | 'columns'>,
): CellPlace | undefined {
  const next = column + step;
  if (next >= 0 && next < columns) return { row, column: next };
  const nextRow = row + step;
  if (nextRow < 0 || nextRow >= rows) return undefined;
  return { row: nextRow, column: step === 1 ? 0 : columns - 1 };
}
