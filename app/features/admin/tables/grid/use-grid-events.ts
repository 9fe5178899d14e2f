/** Keys and clicks of the grid. */
import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { type CellPlace, moveCell, nextCell } from '../grid-position.ts';
import type { GridRow } from '../grid-rows.ts';
import { type RowWindow, rowAt } from '../row-window.ts';
import { nextSort } from '../static-rows.tsx';
import { type Selection, tablesPath } from '../table-address.ts';
import type { TableColumn, TableInfo } from '../table-model.ts';
import { fetchValue } from '../tables-client.ts';
import { ROW_HEIGHT } from './grid-layout.ts';
import type { SelectedRows } from './use-selection.ts';
import { rowCount, type VirtualGrid } from './use-virtual-grid.ts';

/** The value that is edited. */
export interface Editing extends CellPlace {
  values: GridRow;
  of: TableColumn;
  /** Index of the column in the relation. */
  cell: number;
  left: number;
  top: number;
  width: number;
}

interface GridEventOptions {
  scroller: RefObject<HTMLDivElement | null>;
  table: TableInfo;
  selection: Selection;
  window: RowWindow;
  virtual: VirtualGrid;
  chosen: SelectedRows;
  isSelectable: boolean;
}

/** Returns the active cell, the open editor, and the handlers of the grid's element. */
export function useGridEvents(options: GridEventOptions) {
  const { scroller, table, selection, window, virtual, chosen, isSelectable } = options;
  const element = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const { editing, edit, stopEditing } = useEditing(window, virtual);
  const navigate = useNavigate();
  const copy = useCopy(table);
  const bounds = { rows: rowCount(window), columns: virtual.columnCount };

  function activate(place: CellPlace) {
    setActive(place);
    if (place.row >= 0) virtual.rows.scrollToIndex(place.row);
    if (place.column >= 0) virtual.showColumn(place.column);
  }
  function sortBy(place: number) {
    const column = virtual.layout.find((each) => each.place === place)?.column;
    if (column?.isSortable)
      navigate(tablesPath({ ...selection, after: undefined, sort: nextSort(selection, column.name) }));
  }
  function toggleRow(index: number) {
    const row = rowAt(window, index);
    if (row && isSelectable) chosen.toggle(row);
  }
  function toggleAll() {
    if (!isSelectable) return;
    const isAll = chosen.rows.size > 0 && chosen.rows.size >= window.known;
    if (isAll) chosen.clear();
    else chosen.set([...window.pages.values()].flat());
  }
  function runKey(event: KeyboardEvent): boolean {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const isHead = active.row === -1;
    if (key === 'Enter' || key === 'F2') {
      if (isHead) sortBy(active.column);
      else if (active.column === -1) toggleRow(active.row);
      else edit(active);
      return true;
    }
    if (key === ' ' && (shiftKey || active.column === -1)) {
      if (isHead) toggleAll();
      else toggleRow(active.row);
      return true;
    }
    if (key.toLowerCase() === 'c' && (ctrlKey || metaKey)) {
      const column = virtual.layout.find(({ place }) => place === active.column);
      void copy(rowAt(window, active.row), column, [...chosen.rows.values()]);
      return true;
    }
    if (key === 'Escape' && chosen.rows.size > 0) {
      chosen.clear();
      return true;
    }
    return false;
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const perPage = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const moved = moveCell(
      active,
      { key: event.key, ctrlKey: event.ctrlKey || event.metaKey },
      { ...bounds, perPage },
    );
    if (moved) activate(moved);
    else if (!runKey(event)) return;
    event.preventDefault();
  }
  function onClick(event: MouseEvent) {
    const target = event.target as HTMLElement;
    if (target.closest('[data-resize]')) return;
    const place = placeOf(target);
    if (!place) return;
    setActive(place);
    stopEditing();
    element.current?.focus({ preventScroll: true });
    if (place.column === -1) {
      if (place.row === -1) toggleAll();
      else toggleRow(place.row);
    } else if (place.row === -1) sortBy(place.column);
  }
  function onDoubleClick(event: MouseEvent) {
    const place = placeOf(event.target as HTMLElement);
    if (place && place.row >= 0 && place.column >= 0) edit(place);
  }

  return {
    element,
    active,
    editing,
    closeEditor(step?: 1 | -1) {
      stopEditing();
      element.current?.focus({ preventScroll: true });
      const next = step && editing && nextCell(editing, step, bounds);
      if (!next) return;
      activate(next);
      edit(next);
    },
    handlers: { onKeyDown, onClick, onDoubleClick },
  };
}

/** Keeps the open editor. */
function useEditing(window: RowWindow, virtual: VirtualGrid) {
  const [editing, setEditing] = useState<Editing>();
  return {
    editing,
    edit(place: CellPlace) {
      const values = rowAt(window, place.row);
      const placed = virtual.layout.find((column) => column.place === place.column);
      if (!values || !placed) return;
      const top = virtual.rows.measurementsCache[place.row]?.start ?? place.row * ROW_HEIGHT;
      const { column: of, index: cell, start: left, width } = placed;
      setEditing({ ...place, values, of, cell, left, top, width });
    },
    stopEditing: () => setEditing(undefined),
  };
}

function placeOf(target: HTMLElement): CellPlace | undefined {
  const row = target.closest<HTMLElement>('[data-row]')?.dataset.row;
  const column = target.closest<HTMLElement>('[data-column]')?.dataset.column;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** Returns a function that copies the value of a cell, or the selected rows with tabs between their values. */
function useCopy(table: TableInfo) {
  const { grid } = useTexts(adminTablesTexts);
  const toast = useToast();
  return async (
    row: GridRow | undefined,
    column: { index: number; column: TableColumn } | undefined,
    rows: readonly GridRow[],
  ) => {
    try {
      const text = rows.length > 0 ? rows.map(lineOf).join('\n') : await copiedValue(table, row, column);
      await navigator.clipboard.writeText(text);
      toast.add({ kind: 'success', title: grid.copied });
    } catch {
      toast.add({ kind: 'error', title: grid.copyFailed });
    }
  };
}

async function copiedValue(
  table: TableInfo,
  row: GridRow | undefined,
  column: { index: number; column: TableColumn } | undefined,
): Promise<string> {
  if (!row || !column) return '';
  if (!row.cut.includes(column.index) || row.key.length === 0) return row.cells[column.index] ?? '';
  const whole = await fetchValue({ schema: table.schema, table: table.name }, row.key, column.column.name);
  return whole?.value ?? '';
}

/** As spreadsheets expect it. */
function lineOf({ cells }: GridRow): string {
  return cells
    .map((cell) =>
      cell !== null && /["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : (cell ?? ''),
    )
    .join('\t');
}
