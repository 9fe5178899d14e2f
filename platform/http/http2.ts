/**
 * HTTP/2 for a server of HTTPS. Each stream becomes a request of HTTP/1.1 within the process, so that routes, limits and
 * timeouts are those of HTTP/1.1.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, request as startRequest } from 'node:http';
import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type GatewayErrorCode, gatewayError, gatewayErrorBody } from './errors.ts';
import { limits } from './limits.ts';
import { connectStream } from './stream-socket.ts';

/** Protocols that a server offers, the preferred one first (RFC 7301). */
export const ALPN_PROTOCOLS = ['h2', 'http/1.1'];
/** Event of the server with the socket of a stream, before its request is read. A listener may destroy it. */
export const STREAM_EVENT = 'http2Stream';

/** Headers of one connection, which are not forwarded to the other one (RFC 9113 section 8.2.2). */
const CONNECTION_HEADERS = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** Methods for which Node.js adds `transfer-encoding` to a request without a body. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);
/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 205, 304]);

/** The connections with HTTP/2. */
interface Http2 {
  /** Refuses further streams on all connections, and closes each connection when its streams have ended. */
  closeIdle(): void;
}

/** Adds HTTP/2 to a server whose clients may choose it. */
export function addHttp2(server: Server): Http2 {
  const sessions = new Set<ServerHttp2Session>();
  const [serveHttp1] = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  /** Returns false if the client has too many connections. */
  const serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, carrier: TLSSocket): boolean => {
    const { server: socket, client } = connectStream(carrier);
    server.emit(STREAM_EVENT, socket);
    if (socket.destroyed) {
      respondWithError(stream, 'too_many_connections');
      return false;
    }
    serveHttp1?.call(server, socket as TLSSocket);
    exchange(stream, headers, client);
    return true;
  };
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') return serveHttp1?.call(server, socket);
    const session = openSession(socket);
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    let refused = 0;
    session.on('stream', (stream, headers) => {
      if (serve(stream, headers, socket)) return;
      refused += 1;
      // Sends GOAWAY and ignores further streams. Those that are open end first.
      if (refused === limits.http2Refusals) session.close();
    });
  });
  return {
    closeIdle() {
      for (const session of sessions) session.close();
    },
  };
}

/** Starts HTTP/2 on a connection, which is closed when it has been idle for as long as one of HTTP/1.1. */
function openSession(socket: TLSSocket): ServerHttp2Session {
  const session = performServerHandshake(socket, {
    maxSessionInvalidFrames: limits.http2InvalidFrames,
    streamResetBurst: limits.http2Resets,
    streamResetRate: limits.http2ResetsPerSecond,
    settings: {
      maxConcurrentStreams: limits.http2Streams,
      maxHeaderListSize: limits.headerBytes,
      initialWindowSize: limits.http2StreamWindowBytes,
      enablePush: false,
    },
  });
  session.setLocalWindowSize(limits.http2WindowBytes);
  // A client may disconnect at any time, and may violate the protocol.
  session.on('error', () => session.destroy());
  let open = 0;
  session.on('stream', (stream) => {
    open += 1;
    stream.once('close', () => {
      open -= 1;
    });
  });
  session.setTimeout(limits.keepAliveMs, () => {
    if (open === 0) session.close();
  });
  return session;
}

/** Sends the request of a stream over a connection, and its response to the stream. */
function exchange(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Duplex): void {
  stream.on('error', () => connection.destroy());
  stream.once('close', () => connection.destroy());
  const method = headers[':method'] ?? '';
  try {
    const request = startRequest({
      createConnection: () => connection as Socket,
      method,
      path: headers[':path'] ?? '',
      headers: toHttp1(headers, method, stream.endAfterHeaders),
      setHost: false,
      insecureHTTPParser: false,
      maxHeaderSize: limits.responseHeaderBytes,
    });
    request.once('response', (response) => respond(stream, response, method));
    request.on('error', () => {
      if (!stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    // Not by pipeline(): the response may arrive although the rest of the body is not read.
    stream.pipe(request);
  } catch {
    // The method or the path has characters that HTTP/1.1 does not allow.
    connection.destroy();
    respondWithError(stream, 'bad_request');
  }
}

/** The host is that of `:authority` (RFC 9113 section 8.3.1). */
function toHttp1(headers: IncomingHttpHeaders, method: string, isEmpty: boolean): OutgoingHttpHeaders {
  const own = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'host' && !CONNECTION_HEADERS.has(name),
  );
  const host = headers[':authority'] ?? headers.host;
  return {
    ...(host !== undefined && { host }),
    ...Object.fromEntries(own),
    ...bodyHeaders(headers, method, isEmpty),
  };
}

function bodyHeaders(headers: IncomingHttpHeaders, method: string, isEmpty: boolean): OutgoingHttpHeaders {
  if (headers['content-length'] !== undefined) return {};
  if (!isEmpty) return { 'transfer-encoding': 'chunked' };
  return BODY_METHODS.has(method) ? { 'content-length': '0' } : {};
}

function respond(stream: ServerHttp2Stream, response: IncomingMessage, method: string): void {
  if (stream.destroyed) return void response.destroy();
  const { statusCode: status = 500, rawHeaders } = response;
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (CONNECTION_HEADERS.has(name)) continue;
    const value = rawHeaders[index + 1] ?? '';
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  const isEmpty = method === 'HEAD' || NO_BODY.has(status);
  stream.respond({ ':status': status, ...headers }, { endStream: isEmpty });
  if (isEmpty) return void response.resume();
  pipeline(response, stream, (error) => {
    if (error) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    // The rest of a body that nothing reads need not be sent.
    else if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}

/** Sends an error of the server to a stream that becomes no request. */
function respondWithError(stream: ServerHttp2Stream, code: GatewayErrorCode): void {
  if (stream.destroyed) return;
  const failure = gatewayError(code);
  stream.on('error', () => undefined);
  stream.respond({
    ':status': failure.status,
    'content-type': 'application/json; charset=utf-8',
    ...(failure.status === 429 && { 'retry-after': '1' }),
  });
  stream.end(JSON.stringify(gatewayErrorBody(failure)));
}
