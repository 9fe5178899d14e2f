/**
 * The Unix socket of the embedded server. It is in the folder of the cluster, which is closed to other users, and each
 * query over it takes about a third less processor time than over 127.0.0.1.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** The shortest limit of the supported systems (macOS), without the terminating zero byte. */
const MAX_PATH_BYTES = 103;
/** PostgreSQL's name of the socket, with the longest port. */
const LONGEST_NAME = '.s.PGSQL.65535';

/**
 * Whether a socket can be created in a folder and connected to: its path is short enough, and the file system supports
 * sockets.
 */
export async function canHoldSocket(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  if (Buffer.byteLength(join(directory, LONGEST_NAME)) > MAX_PATH_BYTES) return false;
  // Some file systems that are shared with another machine support none; PostgreSQL would not start on them.
  const path = join(directory, `.s.${process.pid}`);
  const server = createServer((socket) => socket.destroy()).listen(path);
  try {
    await once(server, 'listening');
    const client = connect(path);
    await once(client, 'connect');
    client.on('error', () => {}).destroy();
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/**
 * Returns the connection URL `url` with the socket in a folder as its target. The host remains, because a URL without
 * one would be invalid.
 */
export function socketUrl(url: string, directory: string): string {
  const target = new URL(url);
  target.searchParams.set('host', directory);
  return target.href;
}
