/**
 * Entry of the server: renders pages. They reach the Node.js response beside the router's response (see
 * `server/outgoing.ts`).
 */
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { withoutBase } from './lib/page/base-path.ts';
import { FIRST_LOCATION_KEY, type Page, PageProvider } from './lib/page/page-context.tsx';
import { needsWholePage } from './lib/page/whole-page.ts';
import { isCrawler } from './shell/errors/crawler.ts';
import { describeError } from './shell/errors/describe-error.ts';
import { jsonError, prefersJson } from './shell/errors/json-error.ts';
import { payloadResponse } from './shell/payload/payload.server.ts';
import { languageContext, siteContext, visitContext } from './shell/request/contexts.server.ts';
import { readHandoff } from './shell/request/handoff.server.ts';
import { renderElement } from './shell/request/render-element.server.ts';
import { sharedPageKey } from './shell/request/shared-page-key.server.ts';
import type { Rendered } from './shell/request/shared-pages.server.ts';
import { createIconSink, IconSinkContext } from './ui/icons/icon-sprite.tsx';

export { hooks } from './hooks.server.ts';
export { createEndpointMatcher } from './shell/request/endpoints.server.ts';
export { createPageRouter } from './shell/request/page-router.server.ts';
export { renderToPipeableStream };

/** Timeout of a page's pending data in milliseconds. */
export const streamTimeout = 5_000;
/** Rendering times out a little later, so that it can still show that data is missing. */
const RENDER_TIMEOUT_MS = streamTimeout + 1_000;

/** An unavailable backend is most often restarting. */
const RETRY_AFTER_SECONDS = 5;

/** Renders the page that the router matched. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Response | Promise<Response> {
  const page = describePage(context);
  const { isPayload } = context.get(visitContext);
  const { staticHandlerContext } = routerContext;
  const failure = findFailure(request, staticHandlerContext, page);
  if (failure) headers.set('vary', 'accept, sec-fetch-mode');
  if (status === 503) headers.set('retry-after', String(RETRY_AFTER_SECONDS));
  if (isPayload) return payloadResponse(staticHandlerContext, page, { status, headers, failure });
  if (
    failure &&
    prefersJson(request.headers, withoutBase(new URL(request.url).pathname, page.config.baseURL))
  ) {
    return jsonError(failure.description, failure.fullPath, headers);
  }
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const waitsForAll =
    failure !== undefined || isCrawler(request.headers.get('user-agent')) || needsWholePage(request);
  return respond({ request, routerContext, context, page, waitsForAll }, { status, headers });
}

/** Throws if the page cannot be rendered, so that the router shows its error page; that one must not fail, too. */
async function respond(rendering: Rendering, init: { status: number; headers: Headers }): Promise<Response> {
  const visit = rendering.context.get(visitContext);
  const { sharedPages } = rendering.context.get(siteContext);
  try {
    const key = sharedPageKey(rendering, init.status);
    visit.page =
      key === undefined
        ? (await render(rendering)).html
        : await sharedPages.get(key, rendering.page, (page) =>
            render({ ...rendering, page, waitsForAll: true }),
          );
  } catch (error) {
    if (visit.hasRenderFailed) return new Response(null, { status: 500 });
    visit.hasRenderFailed = true;
    throw error;
  }
  return new Response(null, init);
}

/** Returns the error that the page must show, if any. */
function findFailure(request: Request, { errors }: EntryContext['staticHandlerContext'], page: Page) {
  const [error] = Object.values(errors ?? {});
  if (error === undefined) return undefined;
  const { pathname, search } = new URL(request.url);
  const fullPath = pathname + search;
  return { error, fullPath, description: describeError(error, { ...page, fullPath }) };
}

/** Logs all unexpected errors, under the request id that the visitor sees. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Client errors are in the request's own line of the log.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const { options } = context.get(siteContext);
  options.log.error({ err: error, requestId: context.get(visitContext).requestId }, 'a page failed');
};

/** Returns the React element of the whole document. */
export function pageElement(page: Page, routerContext: EntryContext, url: string): ReactElement {
  return (
    <PageProvider value={page}>
      <IconSinkContext value={createIconSink((fullName) => page.symbolOf?.(fullName))}>
        <ServerRouter context={routerContext} url={url} {...(page.nonce && { nonce: page.nonce })} />
      </IconSinkContext>
    </PageProvider>
  );
}

interface Rendering {
  request: Request;
  routerContext: EntryContext;
  context: Readonly<RouterContextProvider>;
  page: Page;
  /** Waits for all of the page instead of streaming pending parts. */
  waitsForAll: boolean;
}

async function render(rendering: Rendering): Promise<Rendered> {
  const { request, routerContext, context, page, waitsForAll } = rendering;
  let hasErrors = false;
  await readHandoff(routerContext);
  const html = await renderElement(pageElement(page, routerContext, request.url), {
    nonce: page.nonce,
    waitsForAll,
    timeoutMs: RENDER_TIMEOUT_MS,
    onError(error, isLate) {
      hasErrors = true;
      // Before the response starts, the rejection of the document is logged elsewhere.
      if (isLate) handleError(error, { request, context, params: {} });
    },
  });
  return { html, hasErrors };
}

/** Returns the facts of a request's page. */
export function describePage(context: Readonly<RouterContextProvider>): Page {
  const { pageConfigs, mode, symbolOf } = context.get(siteContext);
  const { nonce, requestId, isHttps, origin } = context.get(visitContext);
  const { config, text } = isHttps ? pageConfigs.https : pageConfigs.http;
  return {
    config,
    configText: text,
    nonce,
    origin,
    requestId,
    language: context.get(languageContext),
    locationKey: FIRST_LOCATION_KEY,
    isProduction: mode === 'production',
    symbolOf,
  };
}
