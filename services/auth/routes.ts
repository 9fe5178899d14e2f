/**
 * Serves endpoints on a Fastify server: translates requests and responses, and limits the size of bodies and the
 * duration of requests. Responds to unknown paths and methods as GoTrue's router does: 404 in plain text, 405 with an
 * empty body.
 */

import { CatalogueError } from '@greenroom/errors';
import type {} from '@greenroom/http';
import { logFailure, noteError } from '@greenroom/http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireCaptcha } from './captcha/require.ts';
import type { AuthContext, Endpoint } from './context.ts';
import type { AuthRequest, AuthResponse } from './contracts/request.ts';
import { failure } from './errors.ts';
import { errorResponse } from './http/error-response.ts';
import { coveredRoutes, createPathLookup, METHODS as ENDPOINT_METHODS } from './http/other-methods.ts';
import { type AuthMetrics, operationOf, signInMethodOf } from './metrics.ts';
import { createRejectionDelay } from './rate-limit/rejection-delay.ts';

/** Default maximum size of a body in bytes. */
const BODY_BYTES = 64 * 1024;
const METHODS: ReadonlySet<string> = new Set(ENDPOINT_METHODS);

/**
 * Registers a route for every endpoint.
 * @param current returns the context for a request
 * @param metrics undefined: failures are not counted
 */
export function serveEndpoints(
  server: FastifyInstance,
  endpoints: readonly Endpoint[],
  current: () => AuthContext,
  metrics?: AuthMetrics,
): void {
  acceptAnyBody(server);
  if (metrics) countFailures(server, metrics);
  const delayRejection = createRejectionDelay();
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const known = translateFastifyError(error, request.routeOptions.bodyLimit ?? BODY_BYTES);
    if (request.isCounted && isOverLimit(known)) await delayRejection();
    return sendError(known, request, reply);
  });
  for (const endpoint of endpoints) {
    const { method, path, hasSideEffects, bodyBytes = BODY_BYTES } = endpoint;
    server.route({
      method,
      url: path,
      bodyLimit: bodyBytes,
      exposeHeadRoute: !hasSideEffects,
      handler: async (request, reply) => {
        const context = current();
        const authRequest = toAuthRequest(request);
        request.operation = server.prefix + operationOf(path, authRequest.query);
        try {
          const work = handleRequest(endpoint, context, authRequest);
          return send(await withTimeout(work, context.config.maxRequestMs), request, reply);
        } finally {
          request.userId = authRequest.userId;
        }
      },
    });
  }
  serveOthers(server, endpoints);
}

/** Counts sign-ins that fail, also those whose error is in a redirect. */
function countFailures(server: FastifyInstance, { signInFailures }: AuthMetrics): void {
  server.addHook('onResponse', (request, _reply, done) => {
    const { errorCode: reason, routeOptions } = request;
    if (reason === undefined || routeOptions.config.onlyRejects) return done();
    const path = (routeOptions.url ?? '').slice(server.prefix.length);
    const method = signInMethodOf(path, queryOf(request));
    if (method !== undefined) signInFailures.inc({ method, reason });
    done();
  });
}

async function handleRequest(
  endpoint: Endpoint,
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireCaptcha(endpoint, context, request);
  const handle = () => endpoint.handle(context, request);
  if (!ADMIN_PATH.test(endpoint.path)) return handle();
  return context.limits.guardAdmin(request, context.now(), handle, isRefusedAdmin);
}

/** Paths that only accept tokens of administrators. */
const ADMIN_PATH = /^\/(?:admin\/|invite$)/;
const ADMIN_REFUSALS = new Set(['no_authorization', 'bad_jwt', 'not_admin', 'session_not_found']);

function isRefusedAdmin(error: unknown): boolean {
  return error instanceof CatalogueError && ADMIN_REFUSALS.has(error.code);
}

/**
 * Registers wildcard routes. A not-found handler would not run, because the wildcard route of the pages matches first.
 */
function serveOthers(server: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const findPath = createPathLookup(endpoints, server.prefix);
  const config = { onlyRejects: true };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const served = METHODS.has(request.method) ? findPath(request.url) : undefined;
    if (served === undefined)
      return reply.code(404).type('text/plain; charset=utf-8').send('404 page not found\n');
    request.operation = server.prefix + served.path;
    return reply.code(405).header('allow', served.allowed.join(', ')).send();
  };
  for (const { method, path } of coveredRoutes(endpoints))
    server.route({ method, url: path, exposeHeadRoute: false, config, handler });
  for (const url of ['/', '/*']) server.all(url, { config }, handler);
}

/** Reads every body as bytes, regardless of its content type. Drops a content type that cannot be parsed. */
function acceptAnyBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  server.addHook('onRequest', async (request) => {
    if (request.mediaType === undefined) delete request.raw.headers['content-type'];
  });
}

function toAuthRequest(request: FastifyRequest): AuthRequest {
  return {
    target: request.url,
    query: queryOf(request),
    params: request.params as Record<string, string>,
    body: request.body instanceof Uint8Array ? request.body : undefined,
    bearer: request.credentials.bearer,
    address: request.clientAddress,
    isCounted: request.isCounted,
    header: (name) => headerText(request.headers[name]),
  };
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const [, search = ''] = url.split(/\?(.*)/s, 2);
  return new URLSearchParams(search);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Rejects after `ms` milliseconds. The work continues, but its result is discarded. */
async function withTimeout(work: Promise<AuthResponse>, ms: number): Promise<AuthResponse> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure('request_timeout')), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: AuthResponse, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers = {}, body } = response;
  request.errorCode = response.errorCode;
  reply.code(status).headers(headers);
  if (body === undefined || 'content-type' in headers) return reply.send(body);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiVersion = headerText(request.headers['x-supabase-api-version']);
  const response = errorResponse(error, { apiVersion, requestId: request.id });
  if (response.status >= 500) logFailure(request, { err: error }, 'authentication request failed');
  if (error instanceof CatalogueError) noteError(request, error);
  return send(response, request, reply);
}

function isOverLimit(error: unknown): boolean {
  return error instanceof CatalogueError && error.status === 429;
}

/** Translates errors of bodies that Fastify rejects before an endpoint runs. */
function translateFastifyError(error: FastifyError, bodyBytes: number): unknown {
  if (error.statusCode === 413) {
    const message = `Request body too large (max ${bodyBytes} bytes)`;
    return failure('request_entity_too_large', { message });
  }
  const isClientError = error.code?.startsWith('FST_ERR_CTP_') && (error.statusCode ?? 500) < 500;
  return isClientError ? failure('bad_json', { message: 'Could not read the request body' }) : error;
}
