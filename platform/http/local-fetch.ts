/**
 * A fetch for the pages, which call the API of their own process: such a call needs neither a socket nor a parser. It
 * passes the same routes and hooks as a request from a socket (limits, API key, log, metrics); only the limits of
 * connections do not apply.
 */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { type PassThrough, Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { BufferedResponse } from './buffered-response.ts';
import { type LocalCall, LocalRequest, LocalResponse } from './local-message.ts';

/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 205, 304]);

/**
 * Creates a fetch that sends requests to `ownUrl`, the URL of `server`, within the process, and all others over the
 * network. Requests with a body other than text use the network, too. Redirects are not followed within the process:
 * the API only redirects browsers.
 * @param networkFetch sends the requests over the network
 */
export function createLocalFetch(
  server: FastifyInstance,
  ownUrl: string,
  networkFetch: typeof fetch = fetch,
): typeof fetch {
  const { origin, host } = new URL(ownUrl);
  return async (input, init = {}) => {
    const url = input instanceof Request ? undefined : new URL(input);
    if (url?.origin !== origin || !isText(init.body)) return networkFetch(input, init);
    return send(server, toCall(url, host, init), init.signal ?? undefined);
  };
}

function isText(body: RequestInit['body']): body is string | null | undefined {
  return typeof body === 'string' || body === undefined || body === null;
}

/** Sets the headers that fetch would set, too. */
function toCall({ pathname, search }: URL, host: string, { method, headers, body }: RequestInit): LocalCall {
  const text = typeof body === 'string' ? body : undefined;
  const all: Record<string, string> = { host, accept: '*/*' };
  if (text !== undefined) all['content-type'] = 'text/plain;charset=UTF-8';
  for (const [name, value] of entriesOf(headers)) all[name.toLowerCase()] = value;
  if (text !== undefined) all['content-length'] = String(Buffer.byteLength(text));
  return { method: method?.toUpperCase() ?? 'GET', path: pathname + search, headers: all, body: text };
}

function entriesOf(headers: HeadersInit | undefined): Iterable<readonly [string, string]> {
  if (headers === undefined) return [];
  if (headers instanceof Headers) return headers;
  return Array.isArray(headers) ? (headers as [string, string][]) : Object.entries(headers);
}

function send(server: FastifyInstance, call: LocalCall, signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new LocalRequest(call);
    const response = new LocalResponse(request);
    const abort = () => {
      reject(signal?.reason);
      request.aborted = true;
      request.socket.destroy();
      request.destroy();
      response.destroy();
    };
    signal?.addEventListener('abort', abort, { once: true });
    response.once('finish', () => resolve(toFetchResponse(response, call.method)));
    response.once('stream', (stream: PassThrough) => {
      // Without a reader, the loss of the connection would be an unhandled error.
      stream.on('error', () => {});
      resolve(toStreamedResponse(response, stream));
    });
    // As after a connection that was closed before the response was complete.
    response.once('close', () => {
      signal?.removeEventListener('abort', abort);
      if (!response.writableFinished) reject(new TypeError('fetch failed'));
    });
    response.on('error', () => {});
    request.on('error', () => {});
    server.routing(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}

function toFetchResponse(response: LocalResponse, method: string): Response {
  const init = toInit(response);
  const hasBody = method !== 'HEAD' && !NO_BODY.has(init.status);
  return hasBody ? new BufferedResponse(response.body, init) : new Response(null, init);
}

function toStreamedResponse(response: LocalResponse, stream: PassThrough): Response {
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, toInit(response));
}

function toInit(response: LocalResponse) {
  const { statusCode: status, statusMessage: statusText } = response;
  const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) => toPairs(name, value));
  return { status, statusText, headers };
}

function toPairs(name: string, value: OutgoingHttpHeader | undefined): [string, string][] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
}
