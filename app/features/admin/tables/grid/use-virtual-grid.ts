/** Which rows and columns are visible, and where they are. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo } from 'react';
import { ROWS_PER_PAGE } from '../grid-rows.ts';
import type { RowWindow } from '../row-window.ts';
import type { TableInfo } from '../table-model.ts';
import { HEAD_HEIGHT, type PlacedColumn, ROW_HEIGHT, SELECT_WIDTH } from './grid-layout.ts';
import type { GridColumns } from './use-grid-columns.ts';

const OVERSCAN_ROWS = 14;
const OVERSCAN_COLUMNS = 3;
/** Elements have a maximum height in browsers, so later rows begin a new list. */
export const MAX_SCROLLED_ROWS = 500_000;

type ScrollElement = RefObject<HTMLDivElement | null>;

/** The visible part. */
export interface VirtualGrid {
  rows: Virtualizer<HTMLDivElement, Element>;
  layout: readonly PlacedColumn[];
  width: number;
  /** Number of shown columns. */
  columnCount: number;
  showColumn(place: number): void;
}

/** Computes the visible part while the element scrolls. */
export function useVirtualGrid(
  scroller: ScrollElement,
  { table, grid, window }: { table: TableInfo; grid: GridColumns; window: RowWindow },
): VirtualGrid {
  const rows = useVirtualizer({
    count: rowCount(window),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
    paddingStart: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    useFlushSync: false,
  });
  const shown = grid.getVisibleLeafColumns();
  const columns = useVirtualizer({
    horizontal: true,
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => shown[index]?.getSize() ?? 0,
    overscan: OVERSCAN_COLUMNS,
    paddingStart: SELECT_WIDTH,
    scrollPaddingStart: SELECT_WIDTH,
    useFlushSync: false,
  });
  const sizes = shown.map((column) => `${column.id}:${column.getSize()}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when widths or columns change
  useEffect(() => columns.measure(), [columns, sizes]);
  const items = columns.getVirtualItems();
  const range = `${items[0]?.index}-${items.at(-1)?.index}-${items[0]?.start}-${sizes}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are rendered again only if the columns change
  const layout = useMemo(
    () =>
      items.flatMap(({ index: place, start }): PlacedColumn[] => {
        const shownColumn = shown[place];
        const index = table.columns.findIndex(({ name }) => name === shownColumn?.id);
        const column = table.columns[index];
        return shownColumn && column ? [{ place, index, column, start, width: shownColumn.getSize() }] : [];
      }),
    [range, table],
  );
  return {
    rows,
    layout,
    width: columns.getTotalSize(),
    columnCount: shown.length,
    showColumn: (place) => columns.scrollToIndex(place),
  };
}

/** One more row than known stands for those that follow. */
export function rowCount({ known, isComplete, problem }: RowWindow): number {
  if (known >= MAX_SCROLLED_ROWS) return MAX_SCROLLED_ROWS;
  return isComplete || problem ? known : Math.ceil(known / ROWS_PER_PAGE) * ROWS_PER_PAGE + 1;
}
