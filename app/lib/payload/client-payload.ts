/**
 * Page data in the browser: each navigation makes one request for `_payload.json`, shared by all of its
 * routes. If that fails, each route falls back to the router's own request, which also determines the error
 * to show.
 */
import {
  createContext,
  type MiddlewareFunction,
  redirect,
  redirectDocument,
  data as routeError,
  type useLoaderData,
} from 'react-router';
import { isOutdated } from '../modules/outdated.ts';
import { retriableImport } from '../modules/retriable-import.ts';
import { withBase } from '../page/base-path.ts';
import { readPage } from '../page/page-context.tsx';
import type { FetchedPayload } from './fetch-payload.ts';
import { pageKeeping, type Results } from './page-keeping.ts';
import type { Payload } from './payload.ts';
import { createPayloadStore } from './payload-store.ts';

/** The payload of a navigation; undefined if none was requested. */
const payloadContext = createContext<Promise<FetchedPayload> | undefined>(undefined);

/** The first page needs no payload, so this code is loaded when the browser is idle, or with the first navigation. */
const loadFetch = retriableImport(() => import('./fetch-payload.ts'));

/** The payload store of this tab. */
export const payloads = createPayloadStore(
  async (page, options) => (await loadFetch()).fetchPayload(page, readPage().config, options),
  // A redirect must be seen by the server again when the visitor follows the link.
  { isUsable: ({ isRedirected }) => !isRedirected },
);

/**
 * Middleware of the root route: requests a navigation's data while the router still loads its code. If
 * there is a newer build, the next page is loaded as a document. Without a response, the current page stays.
 */
export const payloadMiddleware: MiddlewareFunction<Results> = async ({ request, context }, next) => {
  const page = pageOf(request);
  if (pageKeeping.returningTo === page) return {};
  // An action may have changed the data of any page.
  if (request.method !== 'GET') payloads.clear();
  else if (isOutdated() && isNavigationTo(page)) throw redirectDocument(page);
  else context.set(payloadContext, requestPayload(page));
  const results = await next();
  return pageKeeping.keepPage?.(request, page, results);
};

/** Type that a route's component receives from its loader. */
type Loaded<Loader> = ReturnType<typeof useLoaderData<Loader>>;

type ClientLoaderArgs = {
  request: Request;
  context: { get<T>(context: ReturnType<typeof createContext<T>>): T };
  serverLoader(): Promise<unknown>;
};

/** Creates the client loader of a route that has a loader on the server. */
export function payloadLoader<Loader>(routeId: string): (args: ClientLoaderArgs) => Promise<Loaded<Loader>> {
  return async ({ request, context, serverLoader }) => {
    const fetched = await context.get(payloadContext)?.catch(warn);
    if (fetched?.isRedirected) throw followRedirect(fetched.payload);
    const page = pageOf(request);
    // This tab's code may not understand the data of a newer server.
    if (isOutdated() && isNavigationTo(page)) throw redirectDocument(page);
    if (!fetched) return (await serverLoader()) as Loaded<Loader>;
    const { data, error } = fetched.payload;
    if (error && !(routeId in data)) throw routeError(error.data, error);
    return data[routeId] as Loaded<Loader>;
  };
}

/** Follows a redirect to another page, whose payload has already arrived. */
function followRedirect(payload: Payload): Response {
  const { baseURL } = readPage().config;
  payloads.put(withBase(payload.path, baseURL), { payload, isRedirected: false });
  const { hash = '' } = window.__reactRouterDataRouter.state.navigation.location ?? {};
  return redirect(payload.path + hash);
}

/** Path with query, including the site's base path. */
function pageOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function requestPayload(page: string): Promise<FetchedPayload> {
  const payload = payloads.consume(page);
  // A navigation that was superseded never reads its payload: prevent an unhandled rejection.
  payload.catch(() => {});
  return payload;
}

function warn(error: unknown): undefined {
  // biome-ignore lint/suspicious/noConsole: the page continues; developers find the reason in the console
  console.warn('The payload of a page could not be loaded.', error);
}

/**
 * Returns whether the request belongs to the current navigation. Fetchers and revalidations request data,
 * too.
 */
function isNavigationTo(page: string): boolean {
  const { navigation, location } = window.__reactRouterDataRouter.state;
  const target = navigation.location;
  if (!target || target.pathname + target.search === location.pathname + location.search) return false;
  return page === target.pathname + target.search;
}
