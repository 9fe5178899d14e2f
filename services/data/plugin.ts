/** The data API as a Fastify plugin: converts requests and responses from and to Fastify's types. */
import { allowLongUrls, logFailure } from '@greenroom/http';
import { type CancelSignal, releaseMemory } from '@greenroom/postgres';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { bearerTokenOf } from './auth/caller.ts';
import { authorizeBody } from './authorize-body.ts';
import { refuse } from './error-response.ts';
import { failure } from './errors.ts';
import { isLargeBody } from './execute/outcome.ts';
import { handle } from './handle.ts';
import type { Header } from './headers.ts';
import type { DataInstance } from './instance.ts';
import type { DataRequest } from './request/data-request.ts';
import { receiveBody } from './request/receive-body.ts';
import type { HttpResponse } from './respond/http-response.ts';

interface DataPluginOptions {
  instance: DataInstance;
}

/** Too many statements of the client wait for a connection. */
const QUEUE_FULL = 'PGRSTX01';
const NO_BODY = Buffer.alloc(0);
const NEVER: CancelSignal = { aborted: false, reason: undefined, onabort: null };

/** Carries the response that refuses a body: a content type parser of Fastify can only refuse a body with an error. */
class RefusedBodyError extends Error {
  override readonly name = 'RefusedBodyError';
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super('the body was rejected');
    this.response = response;
  }
}

/** Serves every path and method below its prefix. */
export const dataPlugin: FastifyPluginAsync<DataPluginOptions> = async (server, { instance }) => {
  // Filters may contain long lists of ids.
  allowLongUrls(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload, done) => {
    const contentLength = request.headers['content-length'];
    receiveBody(payload, { contentLength, authorize: () => authorizeLarge(request) }, done);
  });
  const authorizeLarge = async (request: FastifyRequest) => {
    const { pool } = instance;
    const context = { snapshot: instance.snapshot(), pool, onFailure: failureLogger(request) };
    const authorization = await authorizeBody(context, toDataRequest(request, NEVER, server.prefix));
    if (typeof authorization === 'object') throw new RefusedBodyError(authorization);
    return authorization === 'receive';
  };
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof RefusedBodyError) return send(error.response, request, reply);
    const refusal = refuse(refusedByFastify(error, request), instance.snapshot()?.config);
    if (refusal.status >= 500) logFailure(request, { err: error }, 'data request failed');
    return send(refusal, request, reply);
  });
  const respond = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = {
      snapshot: instance.snapshot(),
      pool: instance.pool,
      bodyQueue: instance.bodyQueue,
      onFailure: failureLogger(request),
      onStatements: (sql: readonly string[], status: number) =>
        instance.log[levelOf(status)]({ reqId: request.id, status, sql }, 'SQL of a data request'),
    };
    const dataRequest = toDataRequest(request, abortedOnClose(reply), server.prefix);
    const response = await handle(context, dataRequest);
    releaseMemory(dataRequest.body);
    request.userId = dataRequest.account;
    request.operation = server.prefix + operationOf(dataRequest.path);
    return send(response, request, reply);
  };
  for (const url of ['/', '/*']) server.all(url, { exposeHeadRoute: false }, respond);
  // Fastify has no routes for nonstandard methods, so it sends them to this handler.
  server.setNotFoundHandler(respond);
};

/** Names of relations and functions are not part of the operation, because callers may send any. */
function operationOf(path: string): string {
  if (path === '/') return path;
  return path.startsWith('/rpc/') ? '/rpc/:function' : '/:relation';
}

function failureLogger({ log, id }: FastifyRequest): (error: unknown) => void {
  return (error) => log.error({ reqId: id, err: error }, 'data request failed');
}

/** The log level follows the status, so that an operator who logs only errors sees only the SQL of failed requests. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
}

function toDataRequest(request: FastifyRequest, signal: CancelSignal, prefix: string): DataRequest {
  const { method, url, headers, body, isCounted, clientAddress } = request;
  const target = withoutPrefix(url, prefix);
  const question = target.indexOf('?');
  return {
    method,
    path: (question === -1 ? target : target.slice(0, question)) || '/',
    queryString: withoutApiKey(question === -1 ? '' : target.slice(question + 1), request),
    headers,
    token: tokenOf(request),
    body: body instanceof Buffer ? body : NO_BODY,
    clientAddress: isCounted ? clientAddress : '',
    signal,
  };
}

/** Removes an API key that was sent in the URL, so that it is not parsed as a filter on a column `apikey`. */
function withoutApiKey(queryString: string, { headers, credentials }: FastifyRequest): string {
  if (credentials.apiKey === undefined || headers.apikey !== undefined) return queryString;
  return queryString
    .split('&')
    .filter((parameter) => !parameter.startsWith('apikey='))
    .join('&');
}

/** RFC 9112 §3.2.2: a request target may begin with an origin. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the target without the prefix. The prefix may be percent-encoded: the router accepts `/%72est/v1` for
 * `/rest/v1`.
 */
function withoutPrefix(url: string, prefix: string): string {
  if (url.startsWith(`${prefix}/`)) return url.slice(prefix.length);
  const target = url.replace(ORIGIN, '');
  if (target.startsWith(prefix)) return target.slice(prefix.length);
  const segments = prefix.split('/').length - 1;
  return target.replace(new RegExp(`^(?:/[^/?]*){${segments}}`), '');
}

/**
 * Returns the JWT of the caller. An API key (`sb_…`) in Authorization stands for a JWT; an unknown key is passed on and
 * fails verification. Without Authorization, the `apikey` determines the caller.
 */
function tokenOf({ headers, credentials }: FastifyRequest): string | undefined {
  const sent = bearerTokenOf(headers.authorization);
  if (sent === undefined) return credentials.apiKey?.token;
  return sent.startsWith('sb_') ? (credentials.bearer ?? sent) : sent;
}

/** Returns a signal that aborts when the connection closes before the response was sent. */
function abortedOnClose({ raw }: FastifyReply): CancelSignal {
  const signal = { aborted: false, reason: undefined as unknown, onabort: null as (() => void) | null };
  // `on` instead of `once`: the event fires only once, and `once` would allocate another object for each request.
  raw.on('close', () => {
    if (raw.writableFinished) return;
    signal.aborted = true;
    signal.reason = new Error('the client has disconnected');
    signal.onabort?.();
  });
  return signal;
}

function send(response: HttpResponse, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, statusText, headers, body, errorCode } = response;
  request.errorCode = errorCode;
  if (errorCode === QUEUE_FULL) request.limit = 'waiting statements';
  reply.code(status);
  if (statusText !== undefined) reply.raw.statusMessage = statusText;
  setHeaders(headers, reply);
  if (!isLargeBody(body)) return reply.send(body);
  return reply.header('content-length', body.length).send(body.stream);
}

/**
 * Sets all headers. Fastify keeps only the last of several calls with the same name, so repeated headers are set as a list,
 * which is sent as one header for each value. Of several content types, the last wins.
 */
function setHeaders(headers: readonly Header[], reply: FastifyReply): void {
  if (!repeatsName(headers)) {
    for (const [name, value] of headers) reply.header(name, value);
    return;
  }
  for (const [name, group] of Map.groupBy(headers, ([each]) => each)) {
    const values = group.map(([, value]) => value);
    reply.header(name, values.length === 1 || name === 'content-type' ? values.at(-1) : values);
  }
}

function repeatsName(headers: readonly Header[]): boolean {
  for (let i = 1; i < headers.length; i += 1) {
    for (let j = 0; j < i; j += 1) if (headers[i]?.[0] === headers[j]?.[0]) return true;
  }
  return false;
}

/** Converts Fastify's errors for unusable or incomplete bodies, and for methods that it requires a body for. */
function refusedByFastify(error: FastifyError, { raw }: FastifyRequest): unknown {
  if (raw.readableAborted) return failure('PGRST102', { cause: error });
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return failure('PGRST117', { cause: error });
  const isClients = error.code?.startsWith('FST_ERR_CTP_') && (error.statusCode ?? 500) < 500;
  return isClients ? failure('PGRST102', { cause: error }) : error;
}
