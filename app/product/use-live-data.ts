/** Pages that show changes of the database while they are open. */
import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { browserSupabase } from './browser-supabase.ts';
import { followRows, type LiveRows } from './live-data.ts';

/** Changes within this time load the data once. */
const COALESCE_MS = 50;

/**
 * Loads the data of the page again when rows of a table change that the visitor may read. The table must be in the publication
 * `supabase_realtime`.
 * @example useLiveData({ table: 'todos', filter: `list_id=eq.${list.id}` });
 */
export function useLiveData({ table, schema, filter }: LiveRows): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let end: (() => void) | undefined;
    const load = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void revalidate();
      }, COALESCE_MS);
    };
    const rows = { table, ...(schema !== undefined && { schema }), ...(filter !== undefined && { filter }) };
    void browserSupabase().then((client) => {
      if (isOpen) end = followRows(client, rows, load);
    });
    return () => {
      isOpen = false;
      clearTimeout(timer);
      end?.();
    };
  }, [table, schema, filter, revalidate]);
}
