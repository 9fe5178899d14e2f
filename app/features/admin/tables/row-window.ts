/**
 * The rows that the browser keeps of a relation that may have millions: pages around the visible ones. Each page begins after a
 * position that is remembered, so a page that was dropped can be read again, and none is skipped or repeated.
 */
import { type GridRow, ROWS_PER_PAGE, type RowPage } from './grid-rows.ts';
import { formatPosition } from './position.ts';
import type { Problem } from './sql-refusal.ts';

/** Number of pages in memory. */
export const MAX_PAGES = 24;

/** The state of the rows. */
export interface RowWindow {
  pages: ReadonlyMap<number, readonly GridRow[]>;
  /** Position after which each page begins. The first is undefined if rows begin at the start. */
  starts: readonly (string | undefined)[];
  /** Number of rows up to the end of the last page that is known. */
  known: number;
  /** Whether no rows follow the known ones. */
  isComplete: boolean;
  /** Pages whose rows must be read again. */
  stale: ReadonlySet<number>;
  /** Why a page could not be read. */
  problem: Problem | undefined;
}

/** An event of the window. */
export type WindowEvent =
  | { type: 'loaded'; page: number; result: RowPage; visible: number }
  | { type: 'failed'; problem: Problem }
  | { type: 'retry' }
  | { type: 'changed'; row: GridRow; key: readonly string[] }
  | { type: 'inserted'; row: GridRow }
  | { type: 'removed'; keys: ReadonlySet<string> }
  | { type: 'reload' };

/** Returns the window with the first page. @param after position after which the rows begin */
export function openWindow(first: RowPage, after: string | undefined): RowWindow {
  const empty: RowWindow = {
    pages: new Map(),
    starts: [after],
    known: 0,
    isComplete: false,
    stale: new Set(),
    problem: undefined,
  };
  return withPage(empty, 0, first, 0);
}

/** Returns the window after an event. */
export function reduceWindow(window: RowWindow, event: WindowEvent): RowWindow {
  switch (event.type) {
    case 'loaded':
      // The page was requested before the rows were dropped.
      if (event.page >= window.starts.length) return window;
      return withPage(window, event.page, event.result, event.visible);
    case 'failed':
      return { ...window, problem: event.problem };
    case 'retry':
      return { ...window, problem: undefined };
    case 'changed':
      return replaceRow(window, event.key, event.row);
    case 'inserted':
      return insertFirst(window, event.row);
    case 'removed':
      return removeRows(window, event.keys);
    case 'reload':
      return cutAfter(window, 0);
  }
}

/** Returns the row at an index; undefined if it is not in memory. */
export function rowAt(window: RowWindow, index: number): GridRow | undefined {
  return window.pages.get(Math.floor(index / ROWS_PER_PAGE))?.[index % ROWS_PER_PAGE];
}

/** Returns the pages to read so that the rows from `first` to `last` are in memory. */
export function missingPages(window: RowWindow, first: number, last: number): number[] {
  if (window.problem) return [];
  const from = Math.max(0, Math.floor(first / ROWS_PER_PAGE));
  const to = Math.min(Math.floor(last / ROWS_PER_PAGE), window.starts.length - 1);
  const pages: number[] = [];
  for (let page = from; page <= to; page++) {
    const isAfterEnd = window.isComplete && page * ROWS_PER_PAGE >= window.known && page > 0;
    if (!isAfterEnd && (!window.pages.has(page) || window.stale.has(page))) pages.push(page);
  }
  return pages;
}

/** Returns a text that identifies a row within its relation. */
export function rowId({ key }: Pick<GridRow, 'key'>): string {
  return JSON.stringify(key);
}

function withPage(window: RowWindow, page: number, { rows, hasMore }: RowPage, visible: number): RowWindow {
  const pages = new Map([...window.pages, [page, rows] as const]);
  const stale = new Set([...window.stale].filter((each) => each !== page));
  const end = page * ROWS_PER_PAGE + rows.length;
  const isLast = page === window.starts.length - 1;
  const last = rows.at(-1);
  const starts =
    isLast && hasMore && last ? [...window.starts, formatPosition(last.position)] : window.starts;
  return {
    pages: withoutDistant(pages, visible),
    starts,
    known: isLast ? end : Math.max(window.known, end),
    isComplete: isLast ? !hasMore : window.isComplete,
    stale,
    problem: undefined,
  };
}

/** Keeps the pages next to the visible one. */
function withoutDistant(
  pages: ReadonlyMap<number, readonly GridRow[]>,
  visible: number,
): ReadonlyMap<number, readonly GridRow[]> {
  if (pages.size <= MAX_PAGES) return pages;
  const nearest = [...pages].toSorted(([a], [b]) => Math.abs(a - visible) - Math.abs(b - visible));
  return new Map(nearest.slice(0, MAX_PAGES));
}

function replaceRow(window: RowWindow, key: readonly string[], row: GridRow): RowWindow {
  const id = JSON.stringify(key);
  const pages = new Map(window.pages);
  for (const [page, rows] of pages) {
    if (rows.some((each) => rowId(each) === id))
      pages.set(
        page,
        rows.map((each) => (rowId(each) === id ? row : each)),
      );
  }
  return { ...window, pages };
}

/** Shows a new row first, where it stays until the rows are read again. */
function insertFirst(window: RowWindow, row: GridRow): RowWindow {
  const shown = window.pages.get(0);
  if (shown === undefined) return cutAfter(window, 0);
  const rows = [row, ...shown].slice(0, ROWS_PER_PAGE);
  const [start] = window.starts;
  const isComplete = window.isComplete && window.known < ROWS_PER_PAGE;
  const last = rows.at(-1) ?? row;
  return {
    pages: new Map([[0, rows]]),
    starts: isComplete ? [start] : [start, formatPosition(last.position)],
    known: rows.length,
    isComplete,
    stale: new Set(),
    problem: undefined,
  };
}

/** Drops the pages after the first one with such a row, because all of their rows move up. */
function removeRows(window: RowWindow, keys: ReadonlySet<string>): RowWindow {
  const touched = [...window.pages]
    .filter(([, rows]) => rows.some((row) => keys.has(rowId(row))))
    .map(([page]) => page);
  if (touched.length === 0) return window;
  const first = Math.min(...touched);
  const cut = cutAfter(window, first);
  const rows = (cut.pages.get(first) ?? []).filter((row) => !keys.has(rowId(row)));
  return {
    ...cut,
    pages: new Map([...cut.pages, [first, rows] as const]),
    known: first * ROWS_PER_PAGE + rows.length,
  };
}

/** Drops the pages after this one, and marks it as stale. */
function cutAfter(window: RowWindow, page: number): RowWindow {
  const pages = new Map([...window.pages].filter(([each]) => each <= page));
  const known = page * ROWS_PER_PAGE + (pages.get(page)?.length ?? 0);
  return {
    pages,
    starts: window.starts.slice(0, page + 1),
    known,
    isComplete: false,
    stale: new Set([page]),
    problem: undefined,
  };
}
