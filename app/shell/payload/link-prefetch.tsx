/** Prefetches the data and modules of a link when the user hovers over it, focuses it or touches it. */
import { useEffect, useState } from 'react';
import { PrefetchPageLinks } from 'react-router';
import { payloads } from '../../lib/payload/client-payload.ts';

/** Ignores pointers that only pass over a link. */
const INTENT_MS = 80;
const EVENTS = ['pointerover', 'focusin', 'touchstart'] as const;

/**
 * Handles every link of the router; place it once. Plain links are ignored, because they may change state
 * on the server.
 */
export function LinkPrefetch() {
  const [page, setPage] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onIntent = ({ target }: Event) => {
      clearTimeout(timer);
      const requestedPage = pageOfLink(target);
      if (requestedPage !== undefined)
        timer = setTimeout(() => fetchAhead(requestedPage, setPage), INTENT_MS);
    };
    // After a click, the navigation itself loads everything.
    const onFollow = () => clearTimeout(timer);
    for (const name of EVENTS) document.addEventListener(name, onIntent, { passive: true });
    document.addEventListener('click', onFollow);
    return () => {
      clearTimeout(timer);
      for (const name of EVENTS) document.removeEventListener(name, onIntent);
      document.removeEventListener('click', onFollow);
    };
  }, []);
  return page === undefined ? null : <PrefetchPageLinks page={page} />;
}

function fetchAhead(page: string, prefetchModules: (page: string) => void): void {
  payloads.prefetch(page);
  prefetchModules(page);
}

/**
 * Returns the path with query of the page that a link within the app leads to; undefined for the current
 * page, and if the user wants to save data.
 */
function pageOfLink(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-discover]') : null;
  if (!link || link.origin !== location.origin || (link.target && link.target !== '_self')) return undefined;
  const page = link.pathname + link.search;
  return page === location.pathname + location.search || isSavingData() ? undefined : page;
}

function isSavingData(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string };
  };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
