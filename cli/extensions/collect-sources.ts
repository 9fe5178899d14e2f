/** Collects the sources of `greenroom extensions add` in one folder: folders, Debian packages, packages that apt knows. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Policy of Debian, section 5.6.7: names of packages. */
const PACKAGE_NAME = /^[a-z0-9][a-z0-9+.-]+$/;

/** A source cannot be read. */
class ExtensionSourceError extends Error {
  override readonly name = 'ExtensionSourceError';
}

/**
 * Returns the folder that contains the files of all sources: the source itself if there is only one and it is a folder,
 * otherwise a new folder in `temporary`. Throws {@link ExtensionSourceError}.
 */
export async function collectSources(sources: readonly string[], temporary: string): Promise<string> {
  const folders: string[] = [];
  for (const [index, source] of sources.entries()) {
    folders.push(await folderOf(source, join(temporary, String(index))));
  }
  const [first] = folders;
  if (first !== undefined && folders.length === 1) return first;
  const all = join(temporary, 'all');
  for (const [index, folder] of folders.entries()) {
    // Links stay as they are, so that those out of the folder are found.
    await cp(folder, join(all, String(index)), { recursive: true, verbatimSymlinks: true });
  }
  return all;
}

async function folderOf(source: string, temporary: string): Promise<string> {
  const path = resolve(source);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory()) return path;
  if (facts?.isFile() && path.endsWith('.control')) return dirname(path);
  if (facts?.isFile() && path.endsWith('.deb')) return unpack(path, temporary);
  if (facts === undefined && PACKAGE_NAME.test(source))
    return unpack(await download(source, temporary), temporary);
  const problem = facts === undefined ? 'does not exist' : 'is not an extension';
  throw new ExtensionSourceError(
    `${source} ${problem}. Use a folder, a control file, a .deb file, or the name of a package that apt knows.`,
  );
}

/** Returns the folder of the package's files. */
async function unpack(file: string, temporary: string): Promise<string> {
  const target = join(temporary, 'files');
  await mkdir(target, { recursive: true });
  await run('dpkg-deb', ['-x', file, target]).catch((error: ProcessError) => {
    if (error.code === 'ENOENT') {
      throw new ExtensionSourceError(
        `${file} cannot be unpacked, because this system has no dpkg-deb. Unpack it elsewhere and add the folder.`,
      );
    }
    throw new ExtensionSourceError(`${file} cannot be unpacked: ${textOf(error)}`);
  });
  return target;
}

/** Returns the path of the downloaded file. */
async function download(name: string, temporary: string): Promise<string> {
  await mkdir(temporary, { recursive: true });
  await run('apt-get', ['download', name], { cwd: temporary }).catch((error: ProcessError) => {
    if (error.code === 'ENOENT') {
      throw new ExtensionSourceError(
        `there is no folder or file "${name}" here, and this system has no apt to download a package. Add a folder or a .deb file.`,
      );
    }
    throw new ExtensionSourceError(`apt cannot download ${name}: ${textOf(error)}
Add a package repository that has it for this system, or add a folder or a .deb file.`);
  });
  const file = (await readdir(temporary)).find((entry) => entry.endsWith('.deb'));
  if (file === undefined) throw new ExtensionSourceError(`apt downloaded no file for ${name}`);
  return join(temporary, file);
}

interface ProcessError extends Error {
  code?: unknown;
  stderr?: string;
}

/** Returns the errors that a program printed, without their prefixes. */
function textOf({ stderr = '', message }: ProcessError): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('W:'));
  return lines.map((line) => line.replace(/^(E|dpkg-deb: error): /, '')).join('; ') || message;
}
