/** Handles Node.js requests with the pages of a build: receive, route, send. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Product } from '@greenroom/product';
import type {
  PageHandler,
  PageOptions,
  RequestDetails,
  SiteLocation,
  SitePages,
} from '../lib/page/page-options.ts';
import { siteName } from '../lib/page/site.ts';
import type { PageBuild, PageRouter, Visit } from '../session/page-build.ts';
import { createIconSource, type IconSource } from '../ui/icons/icon-source.ts';
import { ownAssetsPath, rewriteAssetUrls } from './asset-urls.ts';
import { buildFilesOf, readBuildId } from './build-folder.ts';
import { type EndpointCheck, type Incoming, PAGE_METHODS, receive } from './incoming.ts';
import { send, sendTooMany } from './outgoing.ts';
import { publicFilesOf } from './public-files.ts';
import { createRenderQueue } from './render-queue.ts';
import {
  contentSecurityPolicy,
  FIXED_SECURITY_HEADERS,
  strictTransportSecurity,
} from './security-headers.ts';
import { siteColours } from './site-colours.ts';
import { withSiteFiles } from './site-files.ts';

/** The headers that pages read. The list is short because the router copies all headers that it receives. */
const READ_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'cookie',
  'purpose',
  'sec-fetch-mode',
  'sec-purpose',
  'user-agent',
] as const;

/** Dependencies of {@link pageHandler}, in addition to the router. */
interface HandlerSettings {
  options: PageOptions;
  icons: IconSource;
  /** Returns whether a path leads to a route of the product without a page; undefined if there is none. */
  isEndpoint?: EndpointCheck | undefined;
  isDevelopment: boolean;
}

/** Loads the code of the production build. Rejects if there is none: see `appBuild` and `productBuild`. */
export function loadSiteBuild(product: Product | undefined): Promise<PageBuild> {
  return import(buildFilesOf(product).server.href);
}

/** Creates the pages of the production build. */
export async function createSitePages(options: PageOptions): Promise<SitePages> {
  const { location } = options;
  const files = buildFilesOf(options.product);
  const build = await loadSiteBuild(options.product);
  const { assets, manifest } = rewriteAssetUrls(build.assets, location);
  const icons = createIconSource(options.log);
  const stylesheet = await siteColours(options.product?.config);
  const settings = {
    options,
    stylesheet: stylesheet?.name,
    mode: 'production',
    buildId: await readBuildId(files),
    symbolOf: icons.symbolOf,
  } as const;
  const base = routerBase(location);
  const siteBuild = { ...build, ...base, assets };
  const isEndpoint = options.product?.hasPages
    ? build.entry.module.createEndpointMatcher(build, base.basename)
    : undefined;
  const router = build.entry.module.createPageRouter(siteBuild, settings);
  return {
    handler: withSiteFiles(pageHandler(router, { options, icons, isEndpoint, isDevelopment: false }), {
      options,
      stylesheet,
      isDevelopment: false,
    }),
    assets: { directory: files.assets, prefix: ownAssetsPath(location) },
    publicFiles: { directory: files.publicFiles, prefix: location.baseURL },
    replacedFiles: replacedFilesOf(options),
    texts: [{ path: manifest.path, contentType: 'text/javascript; charset=utf-8', text: manifest.text }],
    tasks: build.entry.module.hooks.tasks ?? [],
  };
}

/** Returns the names of the built-in public files that a product replaces. */
function replacedFilesOf({ product }: PageOptions): ReadonlySet<string> {
  const names = new Set(publicFilesOf(product).keys());
  if (product?.config.name !== undefined) names.add('manifest.webmanifest');
  return names;
}

/** The router expects its base without the trailing slash. */
export function routerBase({ baseURL }: SiteLocation): { basename: string } {
  return { basename: baseURL === '/' ? '/' : baseURL.slice(0, -1) };
}

/** Creates the handler of a router. */
export function pageHandler(
  router: PageRouter,
  { options, icons, isEndpoint, isDevelopment }: HandlerSettings,
): PageHandler {
  const policyFor = contentSecurityPolicy({
    publicApiUrl: options.publicApiUrl,
    location: options.location,
    publicUrl: options.publicUrl,
    captcha: options.captcha,
    sources: options.product?.config.csp,
    isDevelopment,
  });
  const renders = createRenderQueue();
  const site = siteName(options.product?.config);
  return async (request, response, info) => {
    const { publicUrl, location } = options;
    const incoming = await receive(request, {
      ...info,
      publicUrl,
      baseURL: location.baseURL,
      isEndpoint,
    }).catch(() => undefined);
    if (!incoming) return void response.destroy();
    const visit = createVisit(incoming, info);
    await icons.ready;
    const disconnect = abortOnDisconnect(response);
    const refused = await renders
      .run(info.clientKeys, disconnect, async () => {
        const rendered = await router(
          toWebRequest(request, disconnect, { incoming, readsAllHeaders: isEndpoint !== undefined }),
          visit,
        );
        const { nonce, pictureOrigin } = visit;
        const policy = policyFor({ nonce, pictureOrigin, host: incoming.host });
        await send(rendered, response, visit, { headers: startHeaders(incoming, policy), site });
      })
      .catch((error: unknown) => {
        if (!disconnect.aborted) throw error;
      });
    if (refused) {
      const { requestId } = info;
      sendTooMany(response, refused.retryAfterSeconds, { requestId, site });
    }
  };
}

function createVisit(incoming: Incoming, info: RequestDetails): Visit {
  return {
    requestId: info.requestId,
    nonce: randomUUID(),
    isHttps: incoming.isHttps,
    isPayload: incoming.isPayload,
    origin: incoming.origin,
    clientAddress: info.clientAddress,
    refusal: incoming.refusal,
    pictureOrigin: undefined,
    page: undefined,
    hasRenderFailed: false,
  };
}

function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const disconnect = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort();
  });
  return disconnect.signal;
}

function toWebRequest(
  request: IncomingMessage,
  signal: AbortSignal,
  { incoming, readsAllHeaders }: { incoming: Incoming; readsAllHeaders: boolean },
): Request {
  return new Request(incoming.url, {
    method: incoming.method,
    headers: toWebHeaders(request, readsAllHeaders),
    signal,
    // Fetch allows a stream as body only in half-duplex mode.
    ...(incoming.body && { body: incoming.body, duplex: 'half' }),
  });
}

/** Routes of a product may read any header. */
function toWebHeaders({ headers }: IncomingMessage, readsAll: boolean): Headers {
  const copy = new Headers();
  const names = readsAll ? Object.keys(headers).filter((name) => !name.startsWith(':')) : READ_HEADERS;
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) copy.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return copy;
}

function startHeaders({ isHttps, host, refusal }: Incoming, policy: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ...FIXED_SECURITY_HEADERS,
    'content-security-policy': policy,
    'cache-control': 'private, no-cache',
  };
  const transportSecurity = isHttps ? strictTransportSecurity(host) : undefined;
  if (transportSecurity !== undefined) headers['strict-transport-security'] = transportSecurity;
  if (refusal?.status === 405) headers.allow = PAGE_METHODS;
  return headers;
}
