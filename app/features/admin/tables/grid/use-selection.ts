/** The selected rows. They stay selected when they scroll out of memory. */
import { useState } from 'react';
import type { GridRow } from '../grid-rows.ts';
import { rowId } from '../row-window.ts';

/** The selected rows by their ids, and how to change them. */
export interface SelectedRows {
  rows: ReadonlyMap<string, GridRow>;
  toggle(row: GridRow): void;
  set(rows: readonly GridRow[]): void;
  clear(): void;
}

/** Keeps the selected rows. */
export function useSelection(): SelectedRows {
  const [rows, setRows] = useState<ReadonlyMap<string, GridRow>>(new Map());
  return {
    rows,
    toggle: (row) =>
      setRows((current) => {
        const next = new Map(current);
        if (!next.delete(rowId(row))) next.set(rowId(row), row);
        return next;
      }),
    set: (chosen) => setRows(new Map(chosen.map((row) => [rowId(row), row]))),
    clear: () => setRows(new Map()),
  };
}
