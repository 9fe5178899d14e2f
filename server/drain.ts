/** Shuts a server down: running requests finish, within a limited time. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Connections that are still open after this time are closed. */
const FORCE_CLOSE_MS = 15_000;
/** Interval between searches for idle connections. Reporting the end of each request would cost every request. */
const POLL_MS = 20;

/** Options of {@link createDrain}. */
interface DrainOptions {
  forceCloseMs?: number;
  /** Closes all connections at once when it aborts. */
  hurry?: AbortSignal;
}

/**
 * Tracks the connections of a server; must be called before it listens. Returns a function that stops accepting, lets
 * running requests finish, and closes idle connections. It also closes upgraded connections (WebSockets), which Node.js
 * no longer counts as HTTP connections.
 */
export function createDrain(server: FastifyInstance, options: DrainOptions = {}): () => Promise<void> {
  const { forceCloseMs = FORCE_CLOSE_MS, hurry } = options;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  // With HTTPS, the second event has the socket above TLS: it knows what clients have not received yet.
  for (const event of ['connection', 'secureConnection']) server.server.on(event, track);
  // Node.js considers a response finished when it has the whole response in its buffer, and would disconnect clients
  // that are still receiving it.
  const closeIdle = server.server.closeIdleConnections.bind(server.server);
  const closeIdleIfFlushed = () => {
    if (![...sockets].some(({ writableLength }) => writableLength > 0)) closeIdle();
  };
  server.server.closeIdleConnections = closeIdleIfFlushed;
  return async () => {
    // Browsers open connections in advance, for requests that may never come; Node.js would wait for these.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // A connection with a running request is not idle when the server begins to close, but becomes so afterwards.
    const closing = setInterval(() => server.server.closeIdleConnections(), POLL_MS);
    const forceClose = () => {
      for (const socket of sockets) socket.destroy();
    };
    const forceTimer = setTimeout(forceClose, forceCloseMs);
    hurry?.addEventListener('abort', forceClose, { once: true });
    try {
      await server.close();
    } finally {
      clearInterval(closing);
      clearTimeout(forceTimer);
      hurry?.removeEventListener('abort', forceClose);
    }
  };
}
