/** Connects the search for hits with the server. */
import { useEffect, useReducer } from 'react';
import { useOnline } from '../../../lib/use-online.ts';
import { type HitEvent, type HitSearch, NO_SEARCH, nextHitSearch } from './hit-search.ts';
import { requestHits } from './request-hits.ts';

/** A pause in typing after which a text is requested. */
const DEBOUNCE_MS = 150;

/**
 * Returns the state of the search and the function that sends events to it. A request is aborted when its text is replaced, and when
 * the palette closes. A failed search is repeated when the browser is online again.
 */
export function useHitSearch(): [HitSearch, (event: HitEvent) => void] {
  const [search, send] = useReducer(nextHitSearch, NO_SEARCH);
  const query = search.kind === 'searching' ? search.query : undefined;
  useEffect(() => {
    if (query === undefined) return;
    const controller = new AbortController();
    const request = () => requestHits(query, controller.signal).then(send, ignore);
    const timer = setTimeout(request, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  const isOnline = useOnline();
  useEffect(() => {
    if (isOnline) send({ type: 'retry' });
  }, [isOnline]);
  return [search, send];
}

/** A request rejects only after it was aborted. */
function ignore(): void {}
