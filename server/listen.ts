/** Where a server listens: on a port, or on a Unix socket. */
import { chmod, stat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Where a server listens. */
export type Listening =
  | { kind: 'port'; host: string; port: number; isShared: boolean }
  | { kind: 'socket'; path: string; mode: number };

/** Makes a server listen. Throws where somebody else does there. */
export async function listenAt(server: FastifyInstance, listening: Listening): Promise<void> {
  if (listening.kind === 'port') {
    const { host, port, isShared } = listening;
    // Fastify hands them on as they are; its types do not know all that Node.js takes.
    await server.listen({ host, port, reusePort: isShared } as { host: string; port: number });
    return;
  }
  const { path, mode } = listening;
  await removeLeftBehind(path);
  await server.listen({ path });
  await chmod(path, mode);
}

/** A server that was killed leaves its socket behind, and nobody could listen there any more. */
async function removeLeftBehind(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isSocket() && !(await isListenedOn(path))) await unlink(path);
}

function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // Whoever is too busy to take another connection, or takes none of ours, is there all the same.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
