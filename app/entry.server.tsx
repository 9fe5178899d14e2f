/**
 * Entry of the server: renders pages. React's stream is piped directly to the Node.js response (see
 * `server/outgoing.ts`).
 */
import type { Writable } from 'node:stream';
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
import { createIconSink, IconSinkContext } from './ui/icons/icon-sprite.tsx';

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
  return render(
    { request, routerContext, context, page, waitsForAll },
    () => new Response(null, { status, headers }),
  );
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

function render(rendering: Rendering, createResponse: () => Response): Promise<Response> {
  const { request, routerContext, context, page, waitsForAll } = rendering;
  const visit = context.get(visitContext);
  return new Promise((resolve, reject) => {
    let immediate: NodeJS.Immediate | undefined;
    let hasResponse = false;
    const writePage = (destination: Writable) => write(stream, destination, timer);
    const respond = () => {
      clearImmediate(immediate);
      if (hasResponse) return;
      hasResponse = true;
      visit.writePage = writePage;
      resolve(createResponse());
    };
    const stream = renderToPipeableStream(pageElement(page, routerContext, request.url), {
      nonce: visit.nonce,
      // Keeps finished parts in place. React would move parts of a long page to its end and insert them by
      // scripts: without scripts they would be missing.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // The router's own data is ready a few microtasks after the shell: by then, most pages can be sent
      // whole, without scripts that insert pending parts.
      onShellReady: () => {
        if (!waitsForAll) immediate = setImmediate(respond);
      },
      onAllReady: respond,
      onShellError: (error) => {
        clearTimeout(timer);
        if (!visit.hasRenderFailed) reject(error);
        else resolve(new Response(null, { status: 500 }));
        visit.hasRenderFailed = true;
      },
      // Before the response starts, the rejection of the shell is logged elsewhere.
      onError: (error) => {
        if (hasResponse) handleError(error, { request, context, params: {} });
      },
    });
    const timer = setTimeout(stream.abort, RENDER_TIMEOUT_MS);
  });
}

type Stream = ReturnType<typeof renderToPipeableStream>;

function write({ pipe, abort }: Stream, destination: Writable, timer: NodeJS.Timeout): void {
  destination.once('close', () => {
    clearTimeout(timer);
    if (!destination.writableFinished) abort();
  });
  pipe(destination);
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
