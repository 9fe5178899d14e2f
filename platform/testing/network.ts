/** A TCP proxy between a client and a server that can cut connections or silently drop their data. */
import { connect, createServer, type Socket } from 'node:net';

/** A proxy on 127.0.0.1 that forwards to one port. */
export interface TestNetwork {
  port: number;
  /** Ends all connections. New ones can be made. */
  disconnect(): void;
  /** Silently drops the data of all current connections; new connections work. */
  dropData(): void;
  close(): void;
}

export async function openTestNetwork(target: number): Promise<TestNetwork> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    disconnect,
    dropData() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      server.close();
      disconnect();
    },
  };
}
