/** Files of a product that are served next to its pages: its public files, its colours and its web app manifest. */
import { createReadStream, type Stats, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { PageHandler, PageOptions } from '../lib/page/page-options.ts';
import { contentTypeOf } from './content-types.ts';
import { publicFilesOf } from './public-files.ts';
import type { SiteStylesheet } from './site-colours.ts';

/** Cache-Control of files whose names do not change with their content. */
const ONE_HOUR = 'public, max-age=3600';
const ALWAYS_CHECKED = 'no-cache';
const MANIFEST = 'manifest.webmanifest';

/** The files of one site. */
interface SiteFileSources {
  options: PageOptions;
  stylesheet: SiteStylesheet | undefined;
  /** Files may be added and removed while the server runs. */
  isDevelopment: boolean;
}

/** Returns a handler that serves the files, and passes all other requests on. */
export function withSiteFiles(handler: PageHandler, sources: SiteFileSources): PageHandler {
  const { options, stylesheet, isDevelopment } = sources;
  if (options.product === undefined) return handler;
  const cacheControl = isDevelopment ? ALWAYS_CHECKED : ONE_HOUR;
  const listed = publicFilesOf(options.product);
  const texts = textsOf(options, stylesheet);
  return async (request, response, details) => {
    const name =
      request.method === 'GET' || request.method === 'HEAD' ? nameOf(request.url, options) : undefined;
    if (name === undefined) return handler(request, response, details);
    const path = (isDevelopment ? publicFilesOf(options.product) : listed).get(name);
    const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', cacheControl);
    if (path !== undefined && stats !== undefined) return sendFile(path, stats, response);
    const text = texts.get(name);
    if (text !== undefined) return sendText(text, response);
    response.removeHeader('x-content-type-options');
    response.removeHeader('cache-control');
    return handler(request, response, details);
  };
}

interface SiteFileText {
  contentType: string;
  text: string;
}

function textsOf(
  { product }: PageOptions,
  stylesheet: SiteStylesheet | undefined,
): Map<string, SiteFileText> {
  const texts = new Map<string, SiteFileText>();
  if (stylesheet)
    texts.set(stylesheet.name, { contentType: 'text/css; charset=utf-8', text: stylesheet.text });
  const name = product?.config.name;
  if (name !== undefined) {
    const text = JSON.stringify({
      name,
      short_name: name,
      start_url: '.',
      scope: '.',
      display: 'standalone',
    });
    texts.set(MANIFEST, { contentType: 'application/manifest+json', text });
  }
  return texts;
}

/** Returns the decoded path below the base path; undefined for the home page and other sites. */
function nameOf(url: string | undefined, { location }: PageOptions): string | undefined {
  const path = url?.split('?', 1)[0] ?? '';
  if (!path.startsWith(location.baseURL) || path === location.baseURL) return undefined;
  try {
    return decodeURIComponent(path.slice(location.baseURL.length));
  } catch {
    return undefined;
  }
}

async function sendFile(path: string, { size, mtimeMs }: Stats, response: ServerResponse): Promise<void> {
  const etag = `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
  response.setHeader('etag', etag);
  if (response.req.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': contentTypeOf(path), 'content-length': size });
  if (response.req.method === 'HEAD') return void response.end();
  await pipeline(createReadStream(path, { end: Math.max(0, size - 1) }), response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
}

function sendText({ contentType, text }: SiteFileText, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
