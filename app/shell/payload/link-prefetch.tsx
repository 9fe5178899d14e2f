/** Fetches ahead what a link will need, once somebody points at it, tabs to it or touches it. */
import { useEffect, useState } from 'react';
import { PrefetchPageLinks } from 'react-router';
import { payloads } from '../../lib/payload/client-payload.ts';

/** Pointing that is only passing by does not count. */
const INTENT_MS = 80;
const EVENTS = ['pointerover', 'focusin', 'touchstart'] as const;

/** Place it once; it looks after every link of the router. Plain links may do things on the server: they are left alone. */
export function LinkPrefetch() {
  const [page, setPage] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onIntent = ({ target }: Event) => {
      clearTimeout(timer);
      const wanted = pageOfLink(target);
      if (wanted !== undefined) timer = setTimeout(() => fetchAhead(wanted, setPage), INTENT_MS);
    };
    // Once the link is followed, there is nothing left to do ahead of it.
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

/** Path with query of another page that a link within the app leads to. */
function pageOfLink(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-discover]') : null;
  if (!link || link.origin !== location.origin || (link.target && link.target !== '_self')) return undefined;
  const page = link.pathname + link.search;
  return page === location.pathname + location.search || wantsFewBytes() ? undefined : page;
}

function wantsFewBytes(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string };
  };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
