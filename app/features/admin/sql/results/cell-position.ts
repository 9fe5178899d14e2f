/** Moves the active cell of a grid. */

/** A cell. The header is row -1. */
export interface CellPosition {
  row: number;
  column: number;
}

/** Size of a grid. */
interface GridSize {
  rows: number;
  columns: number;
}

const PAGE_ROWS = 15;

/** Returns the cell to which a key leads; undefined for other keys. */
export function moveCell(
  { row, column }: CellPosition,
  { key, isFast }: { key: string; isFast: boolean },
  size: GridSize,
): CellPosition | undefined {
  const to = targetOf({ row, column }, { key, isFast }, size);
  return (
    to && {
      row: Math.max(0, Math.min(size.rows - 1, to.row)),
      column: Math.max(0, Math.min(size.columns - 1, to.column)),
    }
  );
}

function targetOf(
  { row, column }: CellPosition,
  { key, isFast }: { key: string; isFast: boolean },
  { rows, columns }: GridSize,
): CellPosition | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: isFast ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: isFast ? rows - 1 : row + 1, column };
    case 'ArrowLeft':
      return { row, column: isFast ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: isFast ? columns - 1 : column + 1 };
    case 'PageUp':
      return { row: row - PAGE_ROWS, column };
    case 'PageDown':
      return { row: row + PAGE_ROWS, column };
    case 'Home':
      return { row: isFast ? 0 : row, column: 0 };
    case 'End':
      return { row: isFast ? rows - 1 : row, column: columns - 1 };
    default:
      return undefined;
  }
}
