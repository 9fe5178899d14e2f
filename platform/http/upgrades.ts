/**
 * WebSocket handshakes that are routed as requests are: with an id, hooks, limits and errors of their own. What is
 * somebody else's (hot reload has a socket, too) is left alone.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The raw connection of a handshake. */
export interface Upgrade {
  socket: Socket;
  /** What has come after the headers. */
  head: Buffer;
  /** Takes the connection away from HTTP: nothing can be answered any more. */
  take(): void;
}

/** Handshakes of one server. */
interface Upgrades {
  /** Has handshakes for this path routed to it. */
  accept(path: string): void;
  /** The connection of a request that is a handshake. */
  of(request: FastifyRequest): Upgrade | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    upgrades: Upgrades;
  }
}

/** What has to know of handshakes before there is a server. */
interface UpgradeRouting extends Upgrades {
  /** For Node.js: whether a request's wish to upgrade is granted, and not ignored. */
  shouldUpgrade(request: IncomingMessage): boolean;
  listenTo(server: FastifyInstance): void;
}

/** @param rewriteUrl what the server changes targets with before it routes them */
export function createUpgrades(rewriteUrl: (url: string) => string): UpgradeRouting {
  const paths = new Set<string>();
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  let othersListen = () => false;

  function isOurs({ url = '/', headers }: IncomingMessage): boolean {
    const path = rewriteUrl(url).split('?', 1)[0] ?? '';
    return headers.upgrade?.toLowerCase() === 'websocket' && paths.has(path);
  }

  return {
    accept: (path) => paths.add(path),
    of: ({ raw }) => upgrades.get(raw),
    shouldUpgrade: (request) => isOurs(request) || othersListen(),
    listenTo(server) {
      othersListen = () => server.server.listenerCount('upgrade') > 1;
      server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        if (!isOurs(request)) return;
        const { upgrade, response } = answerable(request, socket, head);
        upgrades.set(request, upgrade);
        server.routing(request, response);
      });
    },
  };
}

/** A response that ends the connection with it, unless somebody takes the connection. */
function answerable(request: IncomingMessage, socket: Socket, head: Buffer) {
  // Whoever goes away during the handshake must not end the process.
  const onError = () => socket.destroy();
  socket.on('error', onError);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  const take = () => {
    response.detachSocket(socket);
    socket.off('error', onError);
  };
  return { upgrade: { socket, head, take }, response };
}
