/** Limits the connections of one client, so that it cannot exhaust the server's file descriptors, memory and parser. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKeys, createClientBuckets, isLoopback, widestNetworkOf } from '@greenroom/limits';
import { gatewayError, gatewayErrorBody } from './errors.ts';
import { STREAM_EVENT } from './http2.ts';
import { trustedProxyCheck } from './trusted-proxies.ts';
import { isSecureServer } from './wire-server.ts';

/** Options of {@link createConnections}. */
interface ConnectionLimits {
  /** Maximum number of connections of one client. */
  maxPerClient: number;
  /** Addresses and CIDR ranges of proxies, which carry the connections of many clients. */
  trustedProxies: readonly string[];
  /** Whether clients on the loopback are limited like all others. */
  limitsLoopback: boolean;
}

/** A rejection blocks a client for ten seconds. */
const REJECTIONS = { perSecond: 0.1, burst: 1 };

/** The open connections of a server. */
interface Connections {
  /**
   * Rejects connections above the limit of their client, before any request on them is read: with 429, or below TLS
   * without a response, which would cost a handshake. A stream of HTTP/2 counts as a connection.
   */
  limit(server: Server): void;
  /**
   * Closes a connection that costs too much and the other connections of its client, and rejects new ones for ten
   * seconds.
   */
  reject(socket: Socket): void;
  /** Returns a text that identifies the client of a connection. */
  clientOf(socket: Socket): string;
}

/** Creates a registry without connections. */
export function createConnections({ maxPerClient, ...rest }: ConnectionLimits): Connections {
  const isExempt = exemption(rest);
  /** Network of a client → its connections. */
  const open = new Map<string, Set<Socket>>();
  const rejections = createClientBuckets(REJECTIONS);

  function add(socket: Socket, keys: readonly string[]): void {
    for (const key of keys) {
      const sockets = open.get(key);
      if (sockets === undefined) open.set(key, new Set([socket]));
      else sockets.add(socket);
    }
    socket.once('close', () => {
      for (const key of keys) {
        const sockets = open.get(key);
        sockets?.delete(socket);
        if (sockets?.size === 0) open.delete(key);
      }
    });
  }

  function admit(socket: Socket, rejectAtLimit: (socket: Socket) => void): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isExempt(remoteAddress)) return;
    const keys = clientKeys({ address: remoteAddress });
    if (rejections.waitMs(keys, performance.now()) > 0) socket.destroy();
    else if (keys.some((key) => (open.get(key)?.size ?? 0) >= maxPerClient)) rejectAtLimit(socket);
    else add(socket, keys);
  }

  return {
    limit(server) {
      const rejectAtLimit = isSecureServer(server) ? destroy : rejectConnection;
      server.on('connection', (socket: Socket) => admit(socket, rejectAtLimit));
      server.on(STREAM_EVENT, (socket: Socket) => admit(socket, destroy));
    },
    reject(socket) {
      const { remoteAddress } = socket;
      socket.destroy();
      if (remoteAddress === undefined || isExempt(remoteAddress)) return;
      const keys = clientKeys({ address: remoteAddress });
      rejections.take(keys, performance.now());
      for (const key of keys) for (const each of open.get(key) ?? []) each.destroy();
    },
    clientOf: ({ remoteAddress = '' }) => widestNetworkOf(remoteAddress),
  };
}

function destroy(socket: Socket): void {
  socket.destroy();
}

function exemption({ trustedProxies, limitsLoopback }: Omit<ConnectionLimits, 'maxPerClient'>) {
  const isProxy = trustedProxyCheck(trustedProxies);
  return (address: string) => (!limitsLoopback && isLoopback(address)) || isProxy(address);
}

/** The socket is no longer read: a client that continues to send gets a reset. */
function rejectConnection(socket: Socket): void {
  const failure = gatewayError('too_many_connections');
  const body = JSON.stringify(gatewayErrorBody(failure));
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${failure.status} Too Many Requests\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `retry-after: 1\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
