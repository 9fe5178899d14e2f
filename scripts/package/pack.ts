/** Packs a folder as npm does for the registry. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Writes the tarball of a package into a folder, and returns its path. Needs no network. */
export async function pack(folder: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--pack-destination', into, '--json', '--ignore-scripts'], {
    cwd: folder,
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(stdout);
  return join(into, filename);
}
