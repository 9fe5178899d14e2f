/** Answers Node's requests with the pages of a build: receive, route, send. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type {
  PageHandler,
  PageOptions,
  RequestFacts,
  SitePages,
  SitePlace,
} from '../lib/page/page-options.ts';
import type { PageBuild, PageRouter, Visit } from '../session/page-build.ts';
import { createIconSource, type IconSource } from '../ui/icons/icon-source.ts';
import { ownAssetsPath, placeAssets } from './asset-urls.ts';
import { BUILT_ASSETS_FOLDER, PUBLIC_FILES_FOLDER, readBuildId, serverBuildUrl } from './build-folder.ts';
import { type Incoming, PAGE_METHODS, receive } from './incoming.ts';
import { send, sendTooMany } from './outgoing.ts';
import { createRenderQueue } from './render-queue.ts';
import {
  contentSecurityPolicy,
  FIXED_SECURITY_HEADERS,
  STRICT_TRANSPORT_SECURITY,
} from './security-headers.ts';

/** What pages read of a request; the router copies whatever it is given. */
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

/** What {@link pageHandler} needs beside the router. */
interface HandlerSettings {
  options: PageOptions;
  icons: IconSource;
  isDevelopment: boolean;
}

/** Loads the production build. Rejects where there is none: see `ensureBuilt`. */
export async function createSitePages(options: PageOptions): Promise<SitePages> {
  const { place } = options;
  const build = (await import(serverBuildUrl().href)) as PageBuild;
  const { assets, manifest } = placeAssets(build.assets, place);
  const icons = createIconSource(options.log);
  const settings = {
    options,
    mode: 'production',
    buildId: await readBuildId(),
    symbolOf: icons.symbolOf,
  } as const;
  const placed = { ...build, ...routerPlace(place), assets };
  const router = build.entry.module.createPageRouter(placed, settings);
  return {
    handler: pageHandler(router, { options, icons, isDevelopment: false }),
    assets: { directory: BUILT_ASSETS_FOLDER, prefix: ownAssetsPath(place) },
    publicFiles: { directory: PUBLIC_FILES_FOLDER, prefix: place.baseURL },
    texts: [{ path: manifest.path, contentType: 'text/javascript; charset=utf-8', text: manifest.text }],
  };
}

/** The router wants its base without the slash at the end. */
export function routerPlace({ baseURL }: SitePlace): { basename: string } {
  return { basename: baseURL === '/' ? '/' : baseURL.slice(0, -1) };
}

/** Makes the handler around a router. */
export function pageHandler(
  router: PageRouter,
  { options, icons, isDevelopment }: HandlerSettings,
): PageHandler {
  const policyFor = contentSecurityPolicy({
    publicApiUrl: options.publicApiUrl,
    place: options.place,
    publicUrl: options.publicUrl,
    captcha: options.captcha,
    isDevelopment,
  });
  const renders = createRenderQueue();
  return async (request, response, facts) => {
    const { publicUrl, place } = options;
    const incoming = await receive(request, { ...facts, publicUrl, baseURL: place.baseURL }).catch(
      () => undefined,
    );
    if (!incoming) return void response.destroy();
    const visit = createVisit(incoming, facts);
    await icons.ready;
    const leaving = abortWhenLeft(response);
    const refused = await renders
      .run(facts.clientKeys, leaving, async () => {
        const answer = await router(toWebRequest(request, leaving, incoming), visit);
        const { nonce, pictureOrigin } = visit;
        const policy = policyFor({ nonce, pictureOrigin, host: incoming.host });
        await send(answer, response, visit, startHeaders(incoming, policy));
      })
      .catch((error: unknown) => {
        if (!leaving.aborted) throw error;
      });
    if (refused) sendTooMany(response, refused.retryAfterSeconds, facts.requestId);
  };
}

function createVisit(incoming: Incoming, facts: RequestFacts): Visit {
  return {
    requestId: facts.requestId,
    nonce: randomUUID(),
    isHttps: incoming.isHttps,
    isPayload: incoming.isPayload,
    origin: incoming.origin,
    clientAddress: facts.clientAddress,
    refusal: incoming.refusal,
    pictureOrigin: undefined,
    writePage: undefined,
    hasRenderFailed: false,
  };
}

function abortWhenLeft(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

function toWebRequest(request: IncomingMessage, signal: AbortSignal, incoming: Incoming): Request {
  return new Request(incoming.url, {
    method: incoming.method,
    headers: toWebHeaders(request),
    signal,
    // A stream can only be sent while the answer is not there yet.
    ...(incoming.body && { body: incoming.body, duplex: 'half' }),
  });
}

function toWebHeaders({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (value !== undefined) copy.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return copy;
}

function startHeaders({ isHttps, refusal }: Incoming, policy: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ...FIXED_SECURITY_HEADERS,
    'content-security-policy': policy,
    'cache-control': 'private, no-cache',
  };
  if (isHttps) headers['strict-transport-security'] = STRICT_TRANSPORT_SECURITY;
  if (refusal?.status === 405) headers.allow = PAGE_METHODS;
  return headers;
}
