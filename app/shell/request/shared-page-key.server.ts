/** Decides which pages all visitors share (see `shared-pages.server.ts`), and under which key they are stored. */
import type { EntryContext, RouterContextProvider } from 'react-router';
import type { Page } from '../../lib/page/page-context.tsx';
import { sessionContext } from './contexts.server.ts';
import { isPending } from './handoff.server.ts';

/** Longer URLs are unlikely to be requested twice. */
const MAX_URL_CHARACTERS = 512;

/** A request and its page. */
interface SharedPageRequest {
  request: Request;
  routerContext: Pick<EntryContext, 'staticHandlerContext'>;
  context: Readonly<RouterContextProvider>;
  page: Page;
}

/**
 * Returns the key of a page that all visitors share; undefined for any other page. A route declares that with
 * `handle = { isShared: true }`: its HTML depends on nothing but the values of the key.
 */
export function sharedPageKey(
  { request, routerContext, context, page }: SharedPageRequest,
  status: number,
): string | undefined {
  const { matches, loaderData, actionData, errors } = routerContext.staticHandlerContext;
  const isResult = request.method !== 'GET' || status !== 200 || actionData || errors;
  if (isResult || !page.isProduction || context.get(sessionContext) !== undefined) return undefined;
  if (!matches.some(({ route }) => isShared(route.handle)) || isPending(loaderData)) return undefined;
  const { url } = request;
  return url.length > MAX_URL_CHARACTERS
    ? undefined
    : JSON.stringify([url, page.origin, page.language, page.config.cookieOptions.secure, loaderData]);
}

function isShared(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'isShared' in handle && handle.isShared === true;
}
