/** Starts processes so that the system ends them with the server, also if that is killed while a function never rests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Linux sends the signal to the process when its parent ends (prctl(2), PR_SET_PDEATHSIG). */
const ARGUMENTS = ['--pdeathsig', 'KILL', '--no-new-privs', '--'];

/**
 * Returns the words in front of a program and its arguments; none on systems without setpriv of util-linux, where a process
 * ends with the server only if it returns to its event loop.
 */
export async function findLauncher(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  return run('setpriv', [...ARGUMENTS, 'true']).then(
    () => ['setpriv', ...ARGUMENTS],
    () => [],
  );
}
