/** Loads older lines of the log when the list is scrolled to its end. */
import { useEffect, useState } from 'react';
import { withBase } from '../../../lib/page/base-path.ts';
import { usePage } from '../../../lib/page/page-context.tsx';
import type { LogLine, LogPage } from './log-lines.ts';
import { LOGS } from './selection.ts';

/** Pages after the first one. */
interface Older {
  lines: readonly LogLine[];
  next: string | null;
  searchedTo: string | null;
  state: 'idle' | 'loading' | 'failed';
}

/** Lines of a filter. */
interface OlderLines extends Older {
  load(): void;
}

/** @param search the filter as the query of the page @param first the page that the document contains */
export function useOlderLines(search: string, first: LogPage): OlderLines {
  const { baseURL } = usePage().config;
  const start: Older = { lines: [], next: first.next, searchedTo: first.searched_to, state: 'idle' };
  const [older, setOlder] = useState(start);
  // Another first page belongs to another search, or is newer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `start` is derived from the page
  useEffect(() => setOlder(start), [first, search]);
  const load = () => {
    if (older.state === 'loading' || older.next === null) return;
    setOlder({ ...older, state: 'loading' });
    const query = new URLSearchParams(search);
    query.set('before', older.next);
    fetchPage(withBase(`${LOGS}/lines?${query}`, baseURL)).then(
      ({ lines, next, searched_to: searchedTo }) =>
        setOlder((current) => ({
          lines: [...current.lines, ...lines],
          next,
          searchedTo: searchedTo ?? current.searchedTo,
          state: 'idle',
        })),
      () => setOlder((current) => ({ ...current, state: 'failed' })),
    );
  };
  return { ...older, load };
}

async function fetchPage(url: string): Promise<LogPage> {
  const response = await fetch(url, { redirect: 'manual' });
  if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
  return (await response.json()) as LogPage;
}
