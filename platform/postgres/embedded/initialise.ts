/**
 * Making a cluster, once. It is made in a folder beside and renamed, so that a first start cut short is simply done
 * again. Never removes what somebody else put into a folder.
 */
import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { ensureClusterDirectory, pathForServer } from './cluster-place.ts';
import { killLeftOverInitialisation } from './left-over-server.ts';
import { type RunAs, spawnOptions } from './run-as.ts';

/** Name of the cluster's superuser. */
export const SUPERUSER = 'postgres';
const MAJOR_VERSION = '18';

const run = promisify(execFile);

/** Options of {@link ensureInitialised}. */
interface InitialiseOptions {
  /** Folder of the cluster; exists. */
  directory: string;
  binaries: Binaries;
  runAs: RunAs | undefined;
  /** Password of the superuser. */
  password: string;
  /** Told what is going on while a person waits. */
  onProgress: (message: string) => void;
  /** Runs before a new cluster is made. If it rejects, none is made. */
  beforeInitialise?: (() => Promise<void>) | undefined;
}

/** Makes a cluster in an empty folder. Throws where the folder holds anything but a cluster of our version. */
export async function ensureInitialised(options: InitialiseOptions): Promise<void> {
  const { directory } = options;
  const version = await readClusterVersion(directory);
  if (version === MAJOR_VERSION) return;
  if (version !== undefined) {
    throw new Error(`${directory} was made by PostgreSQL ${version}; this release runs ${MAJOR_VERSION}`);
  }
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty and is no cluster`);
  await options.beforeInitialise?.();
  options.onProgress(`initialising PostgreSQL ${MAJOR_VERSION} (once)`);
  await initialise(options);
}

/** Undefined only where there is no such file: one that cannot be read may belong to a cluster full of data. */
async function readClusterVersion(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`PG_VERSION of ${directory} cannot be read: ${message}`, { cause: error });
  }
}

async function initialise({ directory, binaries, runAs, password }: InitialiseOptions): Promise<void> {
  const passwordFolder = await mkdtemp(join(tmpdir(), 'greenroom-'));
  const passwordFile = join(passwordFolder, 'password');
  const partial = `${directory}.initialising`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs)
      await Promise.all([passwordFolder, passwordFile].map((path) => chown(path, runAs.uid, runAs.gid)));
    await killLeftOverInitialisation(partial);
    await rm(partial, { recursive: true, force: true });
    await ensureClusterDirectory(partial, runAs);
    const path = await pathForServer(partial, runAs);
    await run(binaries.initdb, initdbArguments(path, passwordFile), { ...spawnOptions(runAs), cwd: partial });
    // Elsewhere a rename replaces an empty folder, and only an empty one, in one step.
    if (process.platform === 'win32') await rmdir(directory);
    await rename(partial, directory);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`initdb failed: ${stderr.trim() || message}`, { cause: error });
  } finally {
    await rm(passwordFolder, { recursive: true, force: true });
    await rm(partial, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // The same order of text on every machine, and Unicode-aware upper and lower case.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
}
