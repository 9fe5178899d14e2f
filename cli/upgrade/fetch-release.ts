/** Fetches a release of the package, without installing it. */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Release, readRelease } from './release.ts';

const run = promisify(execFile);
const SHELL = process.platform === 'win32';

/** Whether the target of an upgrade is a tarball on this machine, and not a version of the registry. */
export function isTarball(target: string): boolean {
  return /\.(tgz|tar\.gz)$/.test(target);
}

/**
 * Reads a release from a tarball, or from the registry that npm is configured with.
 * @param target path of a tarball, or a version or tag, e.g. `latest`
 * @throws if there is no such release, with npm's own message
 */
export async function fetchRelease(target: string): Promise<Release> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-upgrade-'));
  try {
    const tarball = isTarball(target) ? await existing(target) : await download(target, folder);
    await mkdir(join(folder, 'content'));
    await run('tar', ['-xzf', tarball, '-C', join(folder, 'content')]).catch((error: Error) => {
      throw new Error(`${target} cannot be unpacked: ${lastLine(error)}`);
    });
    return await readRelease(join(folder, 'content', 'package')).catch((error: Error) => {
      throw new Error(`${target} is no release of greenroom: ${error.message}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function existing(target: string): Promise<string> {
  const path = resolve(target);
  await access(path).catch(() => {
    throw new Error(`no tarball ${path} exists`);
  });
  return path;
}

async function download(version: string, folder: string): Promise<string> {
  const args = ['pack', `greenroom@${version}`, '--pack-destination', folder, '--loglevel', 'error'];
  await run('npm', args, { cwd: folder, shell: SHELL }).catch((error: Error) => {
    throw new Error(
      `npm cannot fetch greenroom@${version}: ${lastLine(error)}. Without a registry, give the path of a tarball: greenroom upgrade ./greenroom-1.2.3.tgz`,
    );
  });
  const [name = ''] = (await readdir(folder)).filter(isTarball);
  return join(folder, name);
}

/** Returns the message of a program that failed. */
function lastLine(error: Error & { stderr?: string }): string {
  const lines = (error.stderr ?? '')
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?(code )?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log'));
  return lines.join(' ') || error.message;
}
