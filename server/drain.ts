/** The end of a server: what runs is finished, and nothing can hold it up for ever. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Connections that are still open after this time are cut off. */
const PATIENCE_MS = 15_000;
/** How often connections are looked for that only wait. Each request could say when it ends, but would have to pay for it. */
const LOOK_MS = 20;

/**
 * Watches the connections of a server, before it listens. The function it gives stops accepting, lets running requests
 * finish, and closes connections that only wait for the next one. Upgraded connections (WebSockets) are not HTTP's any
 * more, so Node.js does not count them among those it can close.
 */
export function createDrain(server: FastifyInstance, patienceMs = PATIENCE_MS): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // To Node.js an answer is over as soon as it has all of it, and it would cut off whoever still takes that.
  const closeIdle = server.server.closeIdleConnections.bind(server.server);
  const closeUnlessTaken = () => {
    if (![...sockets].some(({ writableLength }) => writableLength > 0)) closeIdle();
  };
  server.server.closeIdleConnections = closeUnlessTaken;
  return async () => {
    // Browsers connect ahead of a request that may never come, and Node.js would wait for it.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // When the server is told to close, a connection with a running request does not only wait yet; afterwards it does.
    const closing = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
    const impatient = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, patienceMs);
    try {
      await server.close();
    } finally {
      clearInterval(closing);
      clearTimeout(impatient);
    }
  };
}
