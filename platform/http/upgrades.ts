/**
 * Routes WebSocket handshakes like requests, with an id, hooks, limits and errors. Handshakes for other listeners are
 * ignored, such as those of hot reload.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The raw connection of a handshake. */
export interface Upgrade {
  socket: Socket;
  /** Bytes received after the headers. */
  head: Buffer;
  /** Detaches the connection from HTTP: no HTTP response can be sent afterwards. */
  detach(): void;
}

/** Handshakes of one server. */
interface Upgrades {
  /** Routes handshakes for this path to the server; a `*` at the end matches any suffix. */
  accept(path: string): void;
  /** Returns the connection of a request that is a handshake. */
  of(request: FastifyRequest): Upgrade | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    upgrades: Upgrades;
  }
}

/** The part of upgrades that must exist before the server. */
interface UpgradeRouting extends Upgrades {
  /** Callback for Node.js: returns whether an upgrade request is handled as an upgrade instead of a normal request. */
  shouldUpgrade(request: IncomingMessage): boolean;
  listenTo(server: FastifyInstance): void;
}

/** @param rewriteUrl function with which the server changes targets before it routes them */
export function createUpgrades(rewriteUrl: (url: string) => string): UpgradeRouting {
  const paths = new Set<string>();
  const prefixes: string[] = [];
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  let hasOtherListeners = () => false;

  function isAccepted({ url = '/', headers }: IncomingMessage): boolean {
    const path = rewriteUrl(url).split('?', 1)[0] ?? '';
    if (headers.upgrade?.toLowerCase() !== 'websocket') return false;
    return paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
  }

  return {
    accept(path) {
      if (path.endsWith('*')) prefixes.push(path.slice(0, -1));
      else paths.add(path);
    },
    of: ({ raw }) => upgrades.get(raw),
    shouldUpgrade: (request) => isAccepted(request) || hasOtherListeners(),
    listenTo(server) {
      hasOtherListeners = () => server.server.listenerCount('upgrade') > 1;
      server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        if (!isAccepted(request)) return;
        const { upgrade, response } = createResponse(request, socket, head);
        upgrades.set(request, upgrade);
        server.routing(request, response);
      });
    },
  };
}

/** Creates a response that ends the connection, unless a handler has taken the connection over. */
function createResponse(request: IncomingMessage, socket: Socket, head: Buffer) {
  // A client that disconnects during the handshake must not end the process.
  const onError = () => socket.destroy();
  socket.on('error', onError);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  const detach = () => {
    response.detachSocket(socket);
    socket.off('error', onError);
  };
  return { upgrade: { socket, head, detach }, response };
}
