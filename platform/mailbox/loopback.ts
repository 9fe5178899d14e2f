/** Servers of TCP on the loopback, with bounds for each connection. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The only address of the mailbox: its mails contain links that sign in. */
export const LOOPBACK = '127.0.0.1';

/** Options of {@link serveLoopback}. */
interface LoopbackOptions {
  port: number;
  maxConnections: number;
  /** A connection without traffic ends after this time. */
  idleMs: number;
  /** A connection ends after this time in any case. */
  lifetimeMs: number;
  onConnection: (socket: Socket) => void;
}

/** A listening server. */
export interface LoopbackServer {
  port: number;
  close(): Promise<void>;
}

/** Starts a server. Rejects if the port is taken. */
export async function serveLoopback(options: LoopbackOptions): Promise<LoopbackServer> {
  const { port, maxConnections, idleMs, lifetimeMs, onConnection } = options;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const lifetime = setTimeout(() => socket.destroy(), lifetimeMs).unref();
    socket.setTimeout(idleMs, () => socket.destroy());
    // The close of the connection follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(lifetime);
      sockets.delete(socket);
    });
    onConnection(socket);
  });
  server.maxConnections = maxConnections;
  await listen(server, port);
  return {
    port: portOf(server),
    close: () => closeServer(server, sockets),
  };
}

/** Listens on the loopback. Rejects if the port is taken. */
export async function listen(server: Server, port: number): Promise<void> {
  await once(server.listen({ port, host: LOOPBACK, exclusive: true }), 'listening');
}

/** Returns the port of a listening server. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
