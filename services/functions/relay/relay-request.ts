/** Passes a request to the process of a function, and its response to the client; both bodies are streamed. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';
import type { Worker } from '../runtime/worker.ts';
import { sendToWorker } from './exchange.ts';
import { explainFailure } from './explain-failure.ts';
import { responseHeaders, withoutMarkup } from './headers.ts';

/** Options of {@link relayRequest}. */
interface RelayOptions extends ResponseOptions {
  worker: Worker;
  /** Path and query that the function sees. */
  path: string;
  /** Longer bodies are refused. */
  maxBodyBytes: number;
}

/**
 * Resolves when the response has been sent or the client has gone. Rejects with an error of the catalogue if no response
 * has begun; a response that breaks off later breaks off for the client, too.
 */
export async function relayRequest(options: RelayOptions): Promise<void> {
  const { request, reply, worker } = options;
  const { upstream, head } = sendToWorker({ ...options, isHandshake: false });
  const stopOnClientEnd = () => upstream.destroy();
  reply.raw.once('close', stopOnClientEnd);
  try {
    pipeBody(request, upstream, options.maxBodyBytes);
    const { response } = await head;
    await sendResponse(response, options);
  } catch (error) {
    if (reply.raw.destroyed && !reply.raw.headersSent) return;
    throw await explainFailure(error, worker);
  } finally {
    reply.raw.off('close', stopOnClientEnd);
  }
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

/** Options of {@link sendResponse}. */
interface ResponseOptions {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Whether markup is passed on as it is. */
  servesMarkup: boolean;
}

/** By this header, nginx passes on each part of a response when it arrives; it removes the header. */
const UNBUFFERED = 'x-accel-buffering';

/** Whether the length of a response is unknown when it begins, and the function does not decide on buffers itself. */
function isStreamed({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers[UNBUFFERED] === undefined;
}

/** Sends a response to the client. Resolves when it has been sent or the client has gone. */
export function sendResponse(
  response: IncomingMessage,
  { request, reply, servesMarkup }: ResponseOptions,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const headers = responseHeaders(response.rawHeaders, response.headers);
  headers.push('x-request-id', String(request.id));
  if (isStreamed(response)) headers.push(UNBUFFERED, 'no');
  // First: after it was taken over, a reply has no error.
  reply.raw.writeHead(response.statusCode ?? 500, servesMarkup ? headers : withoutMarkup(headers));
  reply.hijack();
  reply.raw.flushHeaders();
  response.pipe(reply.raw);
  response.once('error', () => reply.raw.destroy());
  response.once('aborted', () => reply.raw.destroy());
  reply.raw.once('close', resolve);
  return promise;
}
