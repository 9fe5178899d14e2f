/** The address that a server listens on: a port or a Unix socket. */
import { chmod, stat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

export type ListenAddress =
  | { kind: 'port'; host: string; port: number; isShared: boolean }
  | { kind: 'socket'; path: string; mode: number };

/** Makes a server listen. Throws if another server listens at the same address. */
export async function listenAt(server: FastifyInstance, listening: ListenAddress): Promise<void> {
  if (listening.kind === 'port') {
    const { host, port, isShared } = listening;
    // Fastify passes these options on; its types do not include all options of Node.js.
    await server.listen({ host, port, reusePort: isShared } as { host: string; port: number });
    return;
  }
  const { path, mode } = listening;
  await removeStaleSocket(path);
  await server.listen({ path });
  await chmod(path, mode);
}

/** A server that was killed leaves its socket behind, which would prevent any other from listening there. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isSocket() && !(await isListenedOn(path))) await unlink(path);
}

function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // Any other error means that a server exists, but is too busy or does not accept this connection.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
