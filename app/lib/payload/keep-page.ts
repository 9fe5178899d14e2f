/**
 * Keeps the page, and everything typed into it, if a navigation or a form receives no response. The router itself would replace the
 * page with an error.
 */
import type { DataStrategyResult } from 'react-router';
import { isChunkError } from '../modules/chunk-errors.ts';
import { withoutBase } from '../page/base-path.ts';
import { readPage } from '../page/page-context.tsx';
import { pageKeeping, type Results } from './page-keeping.ts';

/** Messages of browsers about a request without a response: Chromium, Firefox, Safari. */
const NO_RESPONSE =
  /^(?:Failed to fetch|network error|NetworkError when attempting to fetch resource|Load failed|The network connection was lost|The Internet connection appears to be offline)/;

let notify: (() => void) | undefined;
/** Index of the current page in the history. */
let entry: number | undefined;

/** Keeps pages from now on. `onNoResponse` must inform the user. Returns a function that ends it. */
export function keepPages(onNoResponse: () => void): () => void {
  const router = window.__reactRouterDataRouter;
  const remember = () => {
    if (router.state.navigation.state !== 'idle') return;
    entry = indexOfEntry();
    pageKeeping.returningTo = undefined;
  };
  remember();
  const unsubscribe = router.subscribe(remember);
  notify = onNoResponse;
  pageKeeping.keepPage = keepPage;
  return () => {
    unsubscribe();
    notify = undefined;
    pageKeeping.keepPage = undefined;
  };
}

/**
 * Returns results that keep the current page if no response has arrived; otherwise undefined.
 * @param page the requested page, as path with query
 */
async function keepPage(request: Request, page: string, results: Results): Promise<Results | undefined> {
  const { errors, location, navigation, revalidation } = window.__reactRouterDataRouter.state;
  if (!notify || errors || !Object.values(results).some(lacksResponse)) return undefined;
  const isOfNavigation = navigation.location !== undefined && page === pathOf(navigation.location);
  if (isOfNavigation) notify();
  const isCurrentPage = request.method === 'GET' && page === pathOf(location);
  if (isCurrentPage && (isOfNavigation || revalidation === 'loading')) return {};
  // The errors of fetchers belong to their components.
  if (!isOfNavigation) return undefined;
  const ended = new Promise<void>((resolve) => {
    if (request.signal.aborted) resolve();
    else request.signal.addEventListener('abort', () => resolve());
  });
  returnToPage();
  await ended;
  return {};
}

/** Another navigation is the only way to end one. */
function returnToPage(): void {
  const router = window.__reactRouterDataRouter;
  const { location, navigation } = router.state;
  pageKeeping.returningTo = pathOf(location);
  const distance = (entry ?? 0) - (indexOfEntry() ?? 0);
  // With the buttons of the browser, the history is ahead of the router.
  if (navigation.historyAction === 'POP' && distance !== 0) {
    window.history.go(distance);
    return;
  }
  const target = withoutBase(pathOf(location) + location.hash, readPage().config.baseURL);
  void router.navigate(target, { replace: true, preventScrollReset: true, state: location.state });
}

function pathOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search;
}

/** The router numbers the entries of the history. */
function indexOfEntry(): number | undefined {
  return (window.history.state as { idx?: number } | null)?.idx;
}

/** Returns whether a result is the error of a request without a response, or of code that could not be loaded offline. */
export function lacksResponse({ type, result }: DataStrategyResult): boolean {
  if (type !== 'error') return false;
  const error = errorOf(result);
  if (isChunkError(error)) return !navigator.onLine;
  return error instanceof TypeError && NO_RESPONSE.test(error.message);
}

/** The router wraps the errors of actions, to add a status. */
function errorOf(result: unknown): unknown {
  const isWrapped = typeof result === 'object' && result !== null && 'data' in result && 'init' in result;
  return isWrapped ? result.data : result;
}
