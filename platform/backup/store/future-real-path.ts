/** Paths without links, also of files that do not exist yet. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from './file-error.ts';

/** Returns the path without links, also of a folder that does not exist yet. */
export async function futureRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    return join(await futureRealPath(dirname(path)), basename(path));
  }
}
