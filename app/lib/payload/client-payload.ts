/**
 * Data of pages in the browser: one request for `_payload.json` a navigation, shared by all of its routes. Where that
 * fails, each route asks the router's own way, which also knows what to show for an error.
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
import { withBase } from '../page/base-path.ts';
import { readPage } from '../page/page-context.tsx';
import { type FetchedPayload, fetchPayload } from './fetch-payload.ts';
import type { Payload } from './payload.ts';
import { createPayloadStore } from './payload-store.ts';

/** The payload of a navigation; undefined where none was asked for. */
const payloadContext = createContext<Promise<FetchedPayload> | undefined>(undefined);

/** The payloads of this tab. */
export const payloads = createPayloadStore(
  (page, options) => fetchPayload(page, readPage().config, options),
  // Where it led elsewhere, following the link has to be seen by the server.
  { isUsable: ({ isRedirected }) => !isRedirected },
);

/**
 * For the root route: asks for a navigation's data while the router still loads its code. Once there is a newer
 * build, the next page is loaded whole.
 */
export const payloadMiddleware: MiddlewareFunction = async ({ request, context }, next) => {
  const page = pageOf(request);
  // What an action changes may be on any page.
  if (request.method !== 'GET') payloads.clear();
  else if (isOutdated() && isNavigationTo(page)) throw redirectDocument(page);
  else context.set(payloadContext, ask(page));
  await next();
};

/** What a route's component gets from its loader. */
type Loaded<Loader> = ReturnType<typeof useLoaderData<Loader>>;

interface ClientLoaderArgs {
  request: Request;
  context: { get<T>(context: ReturnType<typeof createContext<T>>): T };
  serverLoader(): Promise<unknown>;
}

/** Makes the client's loader of a route that has one on the server. */
export function payloadLoader<Loader>(routeId: string): (args: ClientLoaderArgs) => Promise<Loaded<Loader>> {
  return async ({ request, context, serverLoader }) => {
    const fetched = await context.get(payloadContext)?.catch(warn);
    if (fetched?.isRedirected) throw goOn(fetched.payload);
    const page = pageOf(request);
    // This tab's code may not understand what a newer server says.
    if (isOutdated() && isNavigationTo(page)) throw redirectDocument(page);
    if (!fetched) return (await serverLoader()) as Loaded<Loader>;
    const { data, error } = fetched.payload;
    if (error && !(routeId in data)) throw routeError(error.data, error);
    return data[routeId] as Loaded<Loader>;
  };
}

/** The answer led to another page, and its payload is already here. */
function goOn(payload: Payload): Response {
  const { baseURL } = readPage().config;
  payloads.keep(withBase(payload.path, baseURL), { payload, isRedirected: false });
  const { hash = '' } = window.__reactRouterDataRouter.state.navigation.location ?? {};
  return redirect(payload.path + hash);
}

/** Path with query, as it is on the site. */
function pageOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function ask(page: string): Promise<FetchedPayload> {
  const payload = payloads.take(page);
  // A navigation that is over before its data comes leaves nobody to hear of a failure.
  payload.catch(() => {});
  return payload;
}

function warn(error: unknown): undefined {
  // biome-ignore lint/suspicious/noConsole: the page goes on; whoever looks for the reason looks here
  console.warn('The payload of a page could not be loaded.', error);
}

/** Fetchers and revalidations ask for data as well, but lead nowhere. */
function isNavigationTo(page: string): boolean {
  const { navigation, location } = window.__reactRouterDataRouter.state;
  const target = navigation.location;
  if (!target || target.pathname + target.search === location.pathname + location.search) return false;
  return page === target.pathname + target.search;
}
