/** A Unix socket that leads to the API of the instance, and to nothing else on this machine. */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';

/** A listening socket. */
interface ApiSocket {
  path: string;
  close(): Promise<void>;
}

/** Listens at a path, and passes connections on to the server. */
export async function openApiSocket(
  path: string,
  target: { host: string; port: number },
): Promise<ApiSocket> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect({ ...target, noDelay: true });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(path);
  await once(server, 'listening');
  // Connecting requires the right to write. The folder of the socket is closed to users of the machine by its name.
  await chmod(path, 0o666);
  return {
    path,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
