/** The data API as a plugin of the server: requests and answers in Fastify's form. What they mean is decided elsewhere. */
import { allowLongUrls, logFailure } from '@greenroom/http';
import { type CancelSignal, releaseMemory } from '@greenroom/postgres';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './admit.ts';
import { bearerTokenOf } from './auth/caller.ts';
import { refuse } from './error-response.ts';
import { failure } from './errors.ts';
import { isLargeBody } from './execute/outcome.ts';
import { handle } from './handle.ts';
import type { Header } from './headers.ts';
import type { DataInstance } from './instance.ts';
import type { DataRequest } from './request/data-request.ts';
import { receiveBody } from './request/receive-body.ts';
import type { Answer } from './respond/answer.ts';

/** What the service works with. */
interface DataPluginOptions {
  instance: DataInstance;
}

const NO_BODY = Buffer.alloc(0);
const NEVER: CancelSignal = { aborted: false, reason: undefined, onabort: null };

/** Fastify takes an error as the refusal of a body. */
class RefusedBodyError extends Error {
  override readonly name = 'RefusedBodyError';
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the body was refused');
    this.answer = answer;
  }
}

/** Serves every path and method below its prefix. */
export const dataPlugin: FastifyPluginAsync<DataPluginOptions> = async (server, { instance }) => {
  // Lists of ids in filters.
  allowLongUrls(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload, done) => {
    const contentLength = request.headers['content-length'];
    receiveBody(payload, { contentLength, admit: () => admitLarge(request) }, done);
  });
  const admitLarge = async (request: FastifyRequest) => {
    const { pool } = instance;
    const handling = { snapshot: instance.snapshot(), pool, onFailure: failureLogger(request) };
    const admission = await admit(handling, toDataRequest(request, NEVER, server.prefix));
    if (typeof admission === 'object') throw new RefusedBodyError(admission);
    return admission === 'receive';
  };
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof RefusedBodyError) return send(error.answer, reply);
    const refusal = refuse(refusedByFastify(error, request), instance.snapshot()?.config);
    if (refusal.status >= 500) logFailure(request, { err: error }, 'data request failed');
    return send(refusal, reply);
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const handling = {
      snapshot: instance.snapshot(),
      pool: instance.pool,
      bodyQueue: instance.bodyQueue,
      onFailure: failureLogger(request),
      onStatements: (sql: readonly string[], status: number) =>
        instance.log[levelOf(status)]({ reqId: request.id, status, sql }, 'data request in SQL'),
    };
    const asked = toDataRequest(request, abortedWith(reply), server.prefix);
    const given = await handle(handling, asked);
    releaseMemory(asked.body);
    return send(given, reply);
  };
  for (const url of ['/', '/*']) server.all(url, { exposeHeadRoute: false }, answer);
  // What is left are methods that Fastify has no routes for.
  server.setNotFoundHandler(answer);
};

function failureLogger({ log, id }: FastifyRequest): (error: unknown) => void {
  return (error) => log.error({ reqId: id, err: error }, 'data request failed');
}

/** Whoever logs only what has failed wants to know only how that has. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
}

function toDataRequest(request: FastifyRequest, signal: CancelSignal, prefix: string): DataRequest {
  const { method, url, headers, body, isCounted, clientAddress } = request;
  const target = below(url, prefix);
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

/** A key that was taken from the URL is no condition on a column of that name. */
function withoutApiKey(queryString: string, { headers, credentials }: FastifyRequest): string {
  if (credentials.apiKey === undefined || headers.apikey !== undefined) return queryString;
  return queryString
    .split('&')
    .filter((parameter) => !parameter.startsWith('apikey='))
    .join('&');
}

/** RFC 9112 §3.2.2: a target may begin with an origin. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** What of a target comes after the prefix, however that is written: the router takes `/%72est/v1` for `/rest/v1`, too. */
function below(url: string, prefix: string): string {
  if (url.startsWith(`${prefix}/`)) return url.slice(prefix.length);
  const target = url.replace(ORIGIN, '');
  if (target.startsWith(prefix)) return target.slice(prefix.length);
  const segments = prefix.split('/').length - 1;
  return target.replace(new RegExp(`^(?:/[^/?]*){${segments}}`), '');
}

/** What is no JSON Web Token stands for one, or is refused as one; without any, the API key says who is asking. */
function tokenOf({ headers, credentials }: FastifyRequest): string | undefined {
  const sent = bearerTokenOf(headers.authorization);
  if (sent === undefined) return credentials.apiKey?.token;
  return sent.startsWith('sb_') ? (credentials.bearer ?? sent) : sent;
}

/** Nobody waits any more when the connection is closed before the answer was sent. */
function abortedWith({ raw }: FastifyReply): CancelSignal {
  const waiting = { aborted: false, reason: undefined as unknown, onabort: null as (() => void) | null };
  // It is told once: a listener that removes itself would be one object more for each request.
  raw.on('close', () => {
    if (raw.writableFinished) return;
    waiting.aborted = true;
    waiting.reason = new Error('nobody waits for the answer');
    waiting.onabort?.();
  });
  return waiting;
}

function send({ status, statusText, headers, body }: Answer, reply: FastifyReply): FastifyReply {
  reply.code(status);
  if (statusText !== undefined) reply.raw.statusMessage = statusText;
  setHeaders(headers, reply);
  if (!isLargeBody(body)) return reply.send(body);
  return reply.header('content-length', body.length).send(body.stream);
}

/** Said one by one, only the last of a name would be left; a list is sent as one header for each. A body is of one type. */
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

/** Bodies that Fastify gives up on or that were never sent to their end, and a method that it wants a body of. */
function refusedByFastify(error: FastifyError, { raw }: FastifyRequest): unknown {
  if (raw.readableAborted) return failure('PGRST102', { cause: error });
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return failure('PGRST117', { cause: error });
  const isClients = error.code?.startsWith('FST_ERR_CTP_') && (error.statusCode ?? 500) < 500;
  return isClients ? failure('PGRST102', { cause: error }) : error;
}
