/** Copies of folders that are costly to make, such as that of a PostgreSQL cluster, which must not run meanwhile. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Copies what is in one folder into another, which is made where it does not exist. Where we are root, files stay
 * those of their users, as PostgreSQL wants it: `cp` of Node.js would make them ours.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true });
  else await run('cp', ['-Rp', `${from}/.`, to]);
}
