/**
 * The folders of running processes. They are below the system's folder for temporary files, because the path of a Unix
 * socket has at most 107 bytes, and a data folder may be closed to the users that functions run as.
 */
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of all processes of this server. */
export interface RunFolder {
  path: string;
  /** Creates a folder for one process, closed to all other users. */
  create(user: { uid: number; gid: number } | undefined): Promise<string>;
  remove(): Promise<void>;
}

const PREFIX = 'greenroom-functions-';
const NAME = /^greenroom-functions-\d+-\w{6}$/;
const MIN_AGE_MS = 60_000;
/** Name of the socket to the API inside the folder. */
export const API_SOCKET = 'api.sock';
/** Name of the socket to the host of models: as long as the other, because the filter of system calls permits one length. */
export const MODEL_SOCKET = 'llm.sock';

/** Creates the folder, and removes those of servers that were killed. */
export async function createRunFolder(): Promise<RunFolder> {
  await removeAbandoned();
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Users of processes pass through it to their own folders; they cannot list it.
  await chmod(path, 0o711);
  let count = 0;
  return {
    path,
    async create(user) {
      count += 1;
      const folder = join(path, String(count));
      await mkdir(folder, { mode: 0o700 });
      if (user) await chown(folder, user.uid, user.gid);
      return folder;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** A folder is abandoned if no server listens on its socket. A new one may not listen yet. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!NAME.test(name)) continue;
    const folder = join(tmpdir(), name);
    // A folder of another user cannot be removed, and is not ours.
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined || Date.now() - found.mtimeMs < MIN_AGE_MS) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(join(folder, API_SOCKET));
  socket
    .once('connect', () => resolve(false))
    .once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT');
    });
  const isGone = await promise;
  socket.destroy();
  return isGone;
}
