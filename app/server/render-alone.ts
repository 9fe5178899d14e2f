/**
 * React's rendering of a page without routing, loading and headers: the baseline of the benchmark for the
 * whole page handler.
 */
import type { Writable } from 'node:stream';
import type { EntryContext, RouterContextProvider } from 'react-router';
import type { PageOptions } from '../lib/page/page-options.ts';
import type { PageBuild, PageEntry, Visit } from '../session/page-build.ts';
import { loadCollections } from '../ui/icons/collections.ts';
import { buildFilesOf } from './build-folder.ts';

/** Renders the page again and writes it. */
type RenderAlone = (destination: Writable) => void;

/** Arguments that the router passes to the entry for one page. */
interface Capture {
  routerContext: EntryContext;
  context: RouterContextProvider;
}

/**
 * Lets the router load `path` once, and keeps the values that React needs to render it. The router's data stream for
 * the browser can be read only once, so it is omitted.
 * @param cookie the visitor's cookies, as a request has them
 */
export async function prepareRenderAlone(
  options: PageOptions,
  path: string,
  cookie?: string,
): Promise<RenderAlone> {
  const build = (await import(buildFilesOf(options.product).server.href)) as PageBuild;
  const { describePage, pageElement, renderToPipeableStream } = build.entry.module;
  const url = new URL(path, 'http://localhost').href;
  const { routerContext, context } = await capture(
    build,
    options,
    new Request(url, cookie === undefined ? {} : { headers: { cookie } }),
  );
  const { serverHandoffStream: _stream, ...reusable } = routerContext;
  const page = describePage(context);
  return (destination) => {
    const stream = renderToPipeableStream(pageElement(page, { ...reusable, renderMeta: {} }, url), {
      onShellReady: () => stream.pipe(destination),
      onShellError: (error) => destination.destroy(error as Error),
    });
  };
}

async function capture(build: PageBuild, options: PageOptions, request: Request): Promise<Capture> {
  const { promise, resolve } = Promise.withResolvers<Capture>();
  const module: PageBuild['entry']['module'] & PageEntry = {
    ...build.entry.module,
    default(_request, _status, _headers, routerContext, context) {
      resolve({ routerContext, context });
      return new Response();
    },
  };
  const collections = await loadCollections();
  const router = module.createPageRouter(
    { ...build, entry: { module } },
    { options, mode: 'production', buildId: 'benchmark', symbolOf: collections.symbol },
  );
  await router(request, benchmarkVisit(request.url));
  return promise;
}

function benchmarkVisit(url: string): Visit {
  return {
    requestId: 'benchmark',
    nonce: '00000000-0000-4000-8000-000000000000',
    isHttps: false,
    isPayload: false,
    pictureOrigin: undefined,
    origin: new URL(url).origin,
    clientAddress: '127.0.0.1',
    refusal: undefined,
    page: undefined,
    hasRenderFailed: false,
  };
}
