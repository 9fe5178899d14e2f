/** The server of Node.js below Fastify: HTTP, or HTTPS with HTTP/2 and a certificate that can be replaced. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gatewayError, gatewayErrorBody } from './errors.ts';
import { ALPN_PROTOCOLS, addHttp2 } from './http2.ts';
import { limits } from './limits.ts';

/** Certificate and private key in PEM. */
export interface TlsOptions {
  cert: string;
  key: string;
}

/** Creates the server. Without `tls`, it speaks HTTP. */
export function createWireServer(
  options: ServerOptions,
  listener: RequestListener,
  tls: TlsOptions | undefined,
): Server {
  return tls === undefined ? createServer(options, listener) : createSecureServer(options, listener, tls);
}

/** Makes a server with HTTPS use another certificate for new connections; open connections remain. */
export function replaceCertificate({ server }: { server: Server }, tls: TlsOptions): void {
  if (server instanceof HttpsServer) server.setSecureContext(tls);
}

/** Whether a server speaks HTTPS. Its event `connection` has the sockets below TLS. */
export function isSecureServer(server: Server): boolean {
  return server instanceof HttpsServer;
}

function createSecureServer(options: ServerOptions, listener: RequestListener, tls: TlsOptions): Server {
  const server = createHttpsServer(
    { ...options, ...tls, ALPNProtocols: ALPN_PROTOCOLS, handshakeTimeout: limits.headersTimeoutMs },
    listener,
  );
  const http2 = addHttp2(server);
  /** Connections without a finished handshake, by the address of their client. */
  const handshakes = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const key = clientOf(socket);
    handshakes.set(key, socket);
    socket.once('close', () => {
      if (handshakes.get(key) === socket) handshakes.delete(key);
    });
  });
  server.on('secureConnection', (socket) => void handshakes.delete(clientOf(socket)));
  // Before the listener of Node.js, which closes the connection.
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const wire = handshakes.get(clientOf(socket));
    if (error.code === 'ERR_SSL_HTTP_REQUEST' && wire !== undefined) rejectPlainHttp(wire);
  });
  closeOthersWithIdle(server, handshakes, http2);
  return server;
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Node.js counts neither connections during a handshake nor those with HTTP/2 as idle, so a shutdown would wait for them.
 */
function closeOthersWithIdle(
  server: Server,
  handshakes: ReadonlyMap<string, Socket>,
  http2: ReturnType<typeof addHttp2>,
): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  const closeAll = () => {
    for (const socket of handshakes.values()) socket.destroy();
    http2.closeIdle();
    closeIdle();
  };
  server.closeIdleConnections = closeAll;
}

/** Responds below TLS to a client that speaks HTTP, before the connection is closed. */
function rejectPlainHttp(socket: Socket): void {
  const failure = gatewayError('https_required');
  const body = JSON.stringify(gatewayErrorBody(failure));
  socket.write(
    `HTTP/1.1 ${failure.status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
