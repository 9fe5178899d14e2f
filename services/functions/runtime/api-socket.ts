/** A Unix socket that leads to the API of the instance, and to nothing else on this machine. */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';

/** Connects to the server of the instance. */
export type ConnectToApi = () => Promise<Socket>;

/** A listening socket. */
interface ApiSocket {
  path: string;
  /** Whether a connection that the server accepted comes through this socket. */
  isSourceOf(connection: Socket): boolean;
  close(): Promise<void>;
}

/** Listens at a path, and passes connections on to the server. */
export async function openApiSocket(path: string, connectToApi: ConnectToApi): Promise<ApiSocket> {
  const sockets = new Set<Socket>();
  /** Local ports of the connections to the server. */
  const ports = new Set<number>();

  async function join(socket: Socket): Promise<void> {
    track(socket);
    const upstream = await connectToApi();
    track(upstream);
    recordPort(upstream);
    socket.once('close', () => upstream.destroy());
    upstream.once('close', () => socket.destroy());
    socket.pipe(upstream);
    upstream.pipe(socket);
  }

  /** Before any byte is sent: the server reads no request earlier. */
  function recordPort(upstream: Socket): void {
    const { localPort } = upstream;
    if (localPort === undefined) {
      upstream.once('connect', () => recordPort(upstream));
      return;
    }
    ports.add(localPort);
    upstream.once('close', () => ports.delete(localPort));
  }

  function track(socket: Socket): void {
    sockets.add(socket);
    // An error is followed by `close`.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  }

  const server = createServer((socket) => {
    join(socket).catch(() => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  // Connecting requires the right to write.
  await chmod(path, 0o666);
  return {
    path,
    isSourceOf: ({ remotePort }) => remotePort !== undefined && ports.has(remotePort),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
