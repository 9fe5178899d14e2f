/** Passes a request to the process of a function, and its response to the client; both bodies are streamed. */
import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';
import type { Worker } from '../runtime/worker.ts';
import { requestHeaders, responseHeaders, withoutMarkup } from './headers.ts';

/** Options of {@link relayRequest}. */
interface RelayOptions {
  request: FastifyRequest;
  reply: FastifyReply;
  worker: Worker;
  /** Path and query that the function sees. */
  path: string;
  /** Longer bodies are refused. */
  maxBodyBytes: number;
  /** Whether markup is passed on as it is. */
  servesMarkup: boolean;
}

/** Connections to the processes, which stay open between requests. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });

/**
 * Resolves when the response has been sent or the client has gone. Rejects with an error of the catalogue if no response
 * has begun; a response that breaks off later breaks off for the client, too.
 */
export async function relayRequest(options: RelayOptions): Promise<void> {
  const { request, reply, worker } = options;
  const exchange = createExchange(options);
  const stopOnClientEnd = () => exchange.upstream.destroy();
  reply.raw.once('close', stopOnClientEnd);
  try {
    pipeBody(request, exchange.upstream, options.maxBodyBytes);
    const response = await exchange.response;
    await sendResponse(response, options);
  } catch (error) {
    if (reply.raw.destroyed && !reply.raw.headersSent) return;
    throw await explain(error, worker);
  } finally {
    reply.raw.off('close', stopOnClientEnd);
  }
}

interface Exchange {
  upstream: ClientRequest;
  /** Resolves with the head of the response. */
  response: Promise<IncomingMessage>;
}

function createExchange({ request, worker, path }: RelayOptions): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const upstream = sendRequest({
    agent,
    socketPath: worker.socket,
    method: request.method,
    path,
    headers: requestHeaders({ request, path }),
    setHost: false,
  });
  const { responseMs } = worker.limits;
  const timer = setTimeout(() => upstream.destroy(failure('IDLE_TIMEOUT')), responseMs);
  upstream.once('response', (response: IncomingMessage) => {
    clearTimeout(timer);
    resolve(response);
  });
  upstream.on('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  upstream.once('close', () => clearTimeout(timer));
  return { upstream, response: promise };
}

/** Node.js does not limit the length of a body that is read as a stream. */
function pipeBody({ raw }: FastifyRequest, upstream: ClientRequest, maxBytes: number): void {
  let bytes = 0;
  const isTooLong = Number(raw.headers['content-length'] ?? 0) > maxBytes;
  if (isTooLong) {
    upstream.destroy(failure('BODY_TOO_LARGE'));
    return;
  }
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) upstream.destroy(failure('BODY_TOO_LARGE'));
  });
  raw.pipe(upstream);
}

function sendResponse(
  response: IncomingMessage,
  { request, reply, servesMarkup }: RelayOptions,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const headers = responseHeaders(response.rawHeaders, response.headers);
  headers.push('x-request-id', String(request.id));
  reply.hijack();
  reply.raw.writeHead(response.statusCode ?? 500, servesMarkup ? headers : withoutMarkup(headers));
  reply.raw.flushHeaders();
  response.pipe(reply.raw);
  response.once('error', () => reply.raw.destroy());
  response.once('aborted', () => reply.raw.destroy());
  reply.raw.once('close', resolve);
  return promise;
}

/** Returns the error for a request that got no response: the process has ended, or cannot be reached. */
async function explain(error: unknown, worker: Worker): Promise<unknown> {
  if (!isConnectionError(error)) return error;
  await waitForEnd(worker);
  switch (worker.endReason) {
    case 'memory':
    case 'cpu':
    case 'threads':
    case 'disk':
      return failure('WORKER_RESOURCE_LIMIT', { cause: error });
    case undefined:
      return failure('RELAY_ERROR', { cause: error });
    default:
      return failure('WORKER_ERROR', { cause: error });
  }
}

const EXIT_MS = 1000;

/** A connection ends shortly before its process is known to have ended. */
async function waitForEnd(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, EXIT_MS);
  await Promise.race([worker.ended, promise]);
  clearTimeout(timer);
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error
    ? true
    : error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}
