/** The app inside the server: its static files, and a page for every path that nothing else answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyStatic from '@fastify/static';
import {
  clientAssets,
  createDevPages,
  createPageHandler,
  type PageHandler,
  type PageOptions,
} from '@greenroom/app';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const ONE_YEAR_MS = 365 * 24 * 3600 * 1000;

/** Connect's middleware signature, which Vite speaks. */
type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The app, ready to be asked. */
export interface Pages {
  /** Answers with a page, whatever the path is. */
  answer(request: FastifyRequest, reply: FastifyReply): void;
  close(): Promise<void>;
}

/** Serves the built app. */
export async function registerPages(server: FastifyInstance, options: PageOptions): Promise<Pages> {
  const handler = await createPageHandler(options);
  await server.register(fastifyStatic, {
    root: clientAssets.directory,
    prefix: clientAssets.prefix,
    maxAge: ONE_YEAR_MS,
    immutable: true,
    index: false,
    preCompressed: true,
    decorateReply: false,
  });
  return registerPageRoute(server, handler, async () => {});
}

/** Serves the app from its sources, with hot reload. */
export async function registerDevPages(server: FastifyInstance, options: PageOptions): Promise<Pages> {
  const pages = await createDevPages({ ...options, httpServer: server.server });
  return registerPageRoute(server, withMiddleware(pages.middleware, pages.handler), pages.close);
}

async function registerPageRoute(
  server: FastifyInstance,
  handler: PageHandler,
  close: () => Promise<void>,
): Promise<Pages> {
  const answer: Pages['answer'] = (request, reply) => answerPage(handler, request, reply);
  await server.register(async (scope) => {
    // The page handler reads the body itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/*', answer);
  });
  return { answer, close };
}

/** Hands the raw request and response over; Fastify leaves them alone from here on. */
function answerPage(handler: PageHandler, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  reply.raw.setHeader('x-request-id', request.id);
  const facts = { requestId: request.id, clientAddress: request.ip };
  handler(request.raw, reply.raw, facts).catch((error: unknown) => {
    request.log.error({ err: error }, 'page failed');
    if (!reply.raw.headersSent) reply.raw.writeHead(500, { 'content-type': 'text/plain' });
    reply.raw.end();
  });
}

function withMiddleware(middleware: Middleware, handler: PageHandler): PageHandler {
  return (request, response, facts) =>
    new Promise((resolve, reject) => {
      response.once('close', resolve);
      middleware(request, response, (error) => {
        if (error) reject(error);
        else handler(request, response, facts).then(resolve, reject);
      });
    });
}
