/** One request to the process of a function, until the head of its response, which must be valid HTTP. */
import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';
import type { Worker } from '../runtime/worker.ts';
import { requestHeaders } from './headers.ts';

/** Options of {@link sendToWorker}. */
interface ExchangeOptions {
  request: FastifyRequest;
  worker: Worker;
  /** Path and query that the function sees. */
  path: string;
  /** Whether the request is the handshake of a WebSocket. */
  isHandshake: boolean;
}

/** A response, and the connection if the function accepted a handshake. */
interface ResponseHead {
  response: IncomingMessage;
  accepted?: { socket: Socket; rest: Buffer };
}

/** A request that was sent. */
interface Exchange {
  /** Takes the body of the request. */
  upstream: ClientRequest;
  /** Resolves with the head of the response. Rejects with a system error, or an error of the catalogue. */
  head: Promise<ResponseHead>;
}

/** Connections to the processes, which stay open between requests. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
const UPGRADE = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];

/**
 * Sends the head of a request. A function controls every byte of its process's socket: after a status that is not final
 * (RFC 9110 §15), or a switch of protocols that was not requested, a proxy could take its further bytes for responses to
 * requests of others.
 */
export function sendToWorker({ request, worker, path, isHandshake }: ExchangeOptions): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHead>();
  const headers = requestHeaders({ request, path });
  const upstream = sendRequest({
    agent,
    socketPath: worker.socket,
    method: request.method,
    path,
    headers: isHandshake ? [...headers, ...UPGRADE] : headers,
    setHost: false,
  });
  const { responseMs } = worker.limits;
  const timer = setTimeout(() => upstream.destroy(failure('IDLE_TIMEOUT')), responseMs);
  upstream.once('response', (response: IncomingMessage) => {
    clearTimeout(timer);
    if (isFinalStatus(response.statusCode)) return resolve({ response });
    reject(invalidResponse(`status ${response.statusCode}`));
    upstream.destroy();
  });
  upstream.once('upgrade', (response: IncomingMessage, socket: Socket, rest: Buffer) => {
    clearTimeout(timer);
    if (isHandshake) return resolve({ response, accepted: { socket, rest } });
    reject(invalidResponse('a switch of protocols that was not requested'));
    socket.destroy();
  });
  upstream.on('error', (error) => {
    clearTimeout(timer);
    reject(isParseError(error) ? invalidResponse(error.message) : error);
  });
  upstream.once('close', () => clearTimeout(timer));
  return { upstream, head: promise };
}

const MIN_STATUS = 200;
const MAX_STATUS = 599;

function isFinalStatus(status = 0): boolean {
  return status >= MIN_STATUS && status <= MAX_STATUS;
}

/** The errors of Node.js's parser also contain the bytes that were received, which are not for the log. */
function isParseError(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('HPE_');
}

function invalidResponse(reason: string): Error {
  return failure('INVALID_RESPONSE', {
    cause: new Error(`the function sent an invalid response: ${reason}`),
  });
}
