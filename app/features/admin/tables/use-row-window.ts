/** Loads rows as they become visible. */
import { type Dispatch, useCallback, useEffect, useReducer, useRef } from 'react';
import { ROWS_PER_PAGE, type RowPage } from './grid-rows.ts';
import { missingPages, openWindow, type RowWindow, reduceWindow, type WindowEvent } from './row-window.ts';
import { SqlRefusal } from './sql-refusal.ts';
import type { Selection } from './table-address.ts';
import type { TableInfo } from './table-model.ts';
import { fetchPage } from './tables-client.ts';

/** The rows, and how to show others. */
export interface RowLoading {
  window: RowWindow;
  dispatch: Dispatch<WindowEvent>;
  /** Loads the rows from `first` to `last`, if they are not in memory. */
  show(first: number, last: number): void;
}

/** Keeps the rows of a selection; the component must be remounted for another one. */
export function useRowWindow(table: TableInfo, selection: Selection, first: RowPage): RowLoading {
  const [window, dispatch] = useReducer(reduceWindow, first, (page) => openWindow(page, selection.after));
  const latest = useRef(window);
  latest.current = window;
  const loading = useRef(new Map<number, AbortController>());
  const range = useRef({ first: 0, last: 0 });

  const load = useCallback(
    (page: number) => {
      const controller = new AbortController();
      loading.current.set(page, controller);
      const place =
        table.key.length > 0 ? { after: latest.current.starts[page] } : { offset: page * ROWS_PER_PAGE };
      fetchPage(selection, place, controller.signal)
        .then((result) => {
          if (controller.signal.aborted) return;
          const visible = Math.floor(range.current.first / ROWS_PER_PAGE);
          dispatch({ type: 'loaded', page, result, visible });
        })
        .catch((error: unknown) => {
          if (!controller.signal.aborted && error instanceof SqlRefusal)
            dispatch({ type: 'failed', problem: error.problem });
        })
        .finally(() => {
          if (loading.current.get(page) === controller) loading.current.delete(page);
        });
    },
    [table, selection],
  );

  const loadMissing = useCallback(() => {
    const { first: from, last: to } = range.current;
    for (const page of missingPages(latest.current, from, to)) if (!loading.current.has(page)) load(page);
  }, [load]);

  const show = useCallback(
    (from: number, to: number) => {
      range.current = { first: from, last: to };
      loadMissing();
    },
    [loadMissing],
  );

  // A change of the window may leave visible rows without a page.
  useEffect(() => {
    if (window.pages.size >= 0) loadMissing();
  }, [window, loadMissing]);
  useEffect(() => {
    const requests = loading.current;
    return () => {
      for (const controller of requests.values()) controller.abort();
      requests.clear();
    };
  }, []);
  return { window, dispatch, show };
}
