/** Copies folders that are expensive to create, such as that of a PostgreSQL cluster, which must not run meanwhile. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Copies the contents of one folder into another, which is created if it does not exist. As root, files keep their
 * owners, which PostgreSQL requires; `cp` of Node.js would change them to root.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true });
  else await run('cp', ['-Rp', `${from}/.`, to]);
}
