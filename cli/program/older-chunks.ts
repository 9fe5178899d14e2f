/**
 * Keeps the chunks of older builds: a server that was started before a build loads some of its code later, from files
 * whose names have changed since.
 */
import { link, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a chunk ends with a hash of its content. */
const CHUNK = /-[\w-]{8}\.js$/;
/** How long a chunk is kept after it was written, in milliseconds: 30 days. */
const KEPT_FOR_MS = 30 * 24 * 3600 * 1000;

/** Links the chunks of the build `previous`, which may not exist, into the new build `current`. */
export async function keepOlderChunks(previous: string, current: string): Promise<void> {
  const names = await readdir(previous).catch(() => []);
  for (const name of names.filter((each) => CHUNK.test(each))) {
    const { mtimeMs } = await stat(join(previous, name));
    if (Date.now() - mtimeMs > KEPT_FOR_MS) continue;
    await link(join(previous, name), join(current, name)).catch((error: NodeJS.ErrnoException) => {
      // Both builds contain the chunk.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
