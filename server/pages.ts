/** The app inside the server: its files, and pages for all paths that no other route handles. */
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import {
  createDevPages,
  createSitePages,
  handleIconsRequest,
  ICONS_FOLDER,
  LATEST_BUILD_FILE,
  type PageHandler,
  type PageOptions,
  type SiteFolder,
  type SiteText,
  startMaintenance,
} from '@greenroom/app';
import { createLocalFetch } from '@greenroom/http';
import { clientKeys } from '@greenroom/limits';
import type { PreparedSettings } from '@greenroom/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Cache-Control of files whose names change with their content. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Cache-Control of the manifest that names the latest build. */
const ONE_SECOND = 'public, max-age=1';
/** Cache-Control of files with permanent names. */
const ONE_HOUR = 'public, max-age=3600';

/** The running app. */
export interface Pages {
  /** Responds with a page to any path. */
  respond(request: FastifyRequest, reply: FastifyReply): void;
  /** Prepares pages with other options; the location and URLs of the options must be equal. */
  prepare(options: PageOptions): Promise<PreparedSettings>;
  close(): Promise<void>;
}

export async function registerPages(server: FastifyInstance, options: PageOptions): Promise<Pages> {
  const createHandler = async (current: PageOptions) =>
    (await createSitePages(withLocalCalls(server, current))).handler;
  const { handler, assets, publicFiles, replacedFiles, texts, tasks } = await createSitePages(
    withLocalCalls(server, options),
  );
  for (const text of texts) serveText(server, text);
  await serveAssets(server, assets);
  await servePublicFiles(server, publicFiles, replacedFiles);
  const close = startMaintenance(options, tasks);
  return registerPageRoute(server, { handler, createHandler, close }, options.location.baseURL);
}

/** Serves the app from its sources, with hot reload. */
export async function registerDevPages(server: FastifyInstance, options: PageOptions): Promise<Pages> {
  const pages = await createDevPages({ ...withLocalCalls(server, options), httpServer: server.server });
  const createHandler = async (current: PageOptions) => pages.createHandler(withLocalCalls(server, current));
  const handler = await createHandler(options);
  const stopMaintenance = startMaintenance(options, await pages.loadTasks());
  const close = async () => {
    await Promise.all([stopMaintenance(), pages.close()]);
  };
  return registerPageRoute(server, { handler, createHandler, close }, options.location.baseURL);
}

/** Pages call the backend within this process, unless it is hosted elsewhere: browsers have another URL of it then. */
function withLocalCalls(server: FastifyInstance, options: PageOptions): PageOptions {
  if (options.publicApiUrl !== undefined) return options;
  return { ...options, fetch: createLocalFetch(server, options.apiUrl, options.fetch) };
}

/** Texts such as the router's manifest are compressed once. */
function serveText(server: FastifyInstance, { path, contentType, text }: SiteText): void {
  const compressed = gzipSync(text);
  server.get(path, (request, reply) => {
    const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return reply
      .headers({
        'cache-control': FOREVER,
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      })
      .type(contentType)
      .send(isCompressed ? compressed : text);
  });
}

/** Scripts and fonts can be read by pages of other origins, so that a CDN can use this server as its origin. */
async function serveAssets(server: FastifyInstance, { directory, prefix }: SiteFolder): Promise<void> {
  await server.register(fastifyStatic, {
    root: directory,
    prefix,
    cacheControl: false,
    index: false,
    preCompressed: true,
    decorateReply: false,
    setHeaders: (reply, path) => {
      const isLatest = path.replaceAll('\\', '/').endsWith(`/${LATEST_BUILD_FILE}`);
      reply.header('cache-control', isLatest ? ONE_SECOND : FOREVER);
      reply.header('access-control-allow-origin', '*');
    },
  });
}

/** Registers one route per file, because a wildcard route would hide the paths of the pages. */
async function servePublicFiles(
  server: FastifyInstance,
  { directory, prefix }: SiteFolder,
  replaced: ReadonlySet<string>,
): Promise<void> {
  await server.register(async (scope) => {
    await scope.register(fastifyStatic, { root: directory, serve: false, cacheControl: false });
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (!entry.isFile() || replaced.has(entry.name)) continue;
      scope.get(prefix + entry.name, (_request, reply) =>
        reply.header('cache-control', ONE_HOUR).sendFile(entry.name),
      );
    }
  });
}

/** Serves icons that pages request later. */
function serveIcons(server: FastifyInstance, baseURL: string): void {
  server.all<{ Params: { file: string }; Querystring: { icons?: string | string[] } }>(
    `${baseURL}${ICONS_FOLDER}:file`,
    async ({ method, originalUrl, params, query }, reply) => {
      const { status, headers, body } = await handleIconsRequest({
        method,
        url: originalUrl,
        file: params.file,
        icons: query.icons?.toString(),
      });
      return reply.code(status).headers(headers).send(body);
    },
  );
}

/** The parts of {@link Pages} that depend on the kind of build. */
interface PageSource {
  handler: PageHandler;
  createHandler(options: PageOptions): Promise<PageHandler>;
  close(): Promise<void>;
}

async function registerPageRoute(
  server: FastifyInstance,
  { handler: initial, createHandler, close }: PageSource,
  baseURL: string,
): Promise<Pages> {
  let handler = initial;
  const respond: Pages['respond'] = (request, reply) => handlePage(handler, request, reply);
  serveIcons(server, baseURL);
  await server.register(async (scope) => {
    // The page handler reads the body itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    if (baseURL === '/') scope.all('/*', respond);
    else servePagesBelow(scope, baseURL, respond);
  });
  return {
    respond,
    async prepare(options) {
      const next = await createHandler(options);
      return {
        apply() {
          handler = next;
        },
      };
    },
    close,
  };
}

/**
 * Paths outside of the base do not belong to the app; the bare origin redirects to the base. The router itself requests
 * `/app.data`.
 */
function servePagesBelow(scope: FastifyInstance, baseURL: string, respond: Pages['respond']): void {
  const bare = baseURL.slice(0, -1);
  for (const url of [bare, `${bare}.data`, `${baseURL}*`]) scope.all(url, respond);
  scope.get('/', ({ url }, reply) => {
    const query = url.indexOf('?');
    return reply.redirect(query < 0 ? baseURL : baseURL + url.slice(query));
  });
  scope.all('/*', (_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send('Not found\n'));
}

/** Passes the raw request and response to the page handler; Fastify ignores them from here on. */
function handlePage(handler: PageHandler, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  reply.raw.setHeader('x-request-id', request.id);
  const { id: requestId, clientAddress, isCounted, protocol, host } = request;
  const keys = isCounted ? clientKeys({ address: clientAddress }) : [];
  const details = { requestId, clientAddress, clientKeys: keys, protocol, host };
  handler(request.raw, reply.raw, details).catch((error: unknown) => {
    request.log.error({ reqId: request.id, err: error }, 'page request failed');
    if (!reply.raw.headersSent) reply.raw.writeHead(500, { 'content-type': 'text/plain' });
    reply.raw.end();
  });
}
