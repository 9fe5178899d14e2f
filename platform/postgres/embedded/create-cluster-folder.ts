/** Folders for clusters that are restored instead of initialised. */
import { readdir } from 'node:fs/promises';
import { ensureClusterDirectory } from './cluster-directory.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';

/**
 * Creates the folder of a cluster, which belongs to the user that PostgreSQL runs as; so must its files. Returns its real
 * path. Rejects if the folder contains anything.
 */
export async function createClusterFolder(
  path: string,
): Promise<{ directory: string; runAs: RunAs | undefined }> {
  const runAs = await chooseRunAs();
  const directory = await ensureClusterDirectory(path, runAs);
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  return { directory, runAs };
}
