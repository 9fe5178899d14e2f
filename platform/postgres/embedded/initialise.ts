/**
 * Creates a cluster once. It is created in a sibling folder that is then renamed, so a first start that was interrupted
 * can simply be repeated. Never removes files of others from the folder.
 */
import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { ensureClusterDirectory, pathForServer } from './cluster-directory.ts';
import { killLeftOverInitialisation } from './left-over-server.ts';
import { SUPERUSER } from './roles/role-names.ts';
import { type RunAs, spawnOptions } from './run-as.ts';
import { copyTemplate } from './template.ts';

const MAJOR_VERSION = '18';

const run = promisify(execFile);

/** Options of {@link ensureInitialised}. */
interface InitialiseOptions {
  /** Folder of the cluster; it must exist. */
  directory: string;
  binaries: Binaries;
  runAs: RunAs | undefined;
  /** Password of the superuser. */
  password: string;
  /** Receives progress messages to show to the user. */
  onProgress: (message: string) => void;
  /** Returns the path of a template to copy; undefined if there is none. */
  findTemplate?: (() => Promise<string | undefined>) | undefined;
  /** Runs before a new cluster is created. If it rejects, none is created. */
  beforeInitialise?: (() => Promise<void>) | undefined;
  /** Called when a new cluster is being created. */
  onWait?: (() => void) | undefined;
}

/**
 * Creates a cluster in an empty folder and returns whether it did. Throws if the folder contains anything but a cluster of
 * the supported major version.
 */
export async function ensureInitialised(options: InitialiseOptions): Promise<boolean> {
  const { directory } = options;
  const version = await readClusterVersion(directory);
  if (version === MAJOR_VERSION) return false;
  if (version !== undefined) {
    throw new Error(
      `${directory} was created by PostgreSQL ${version}; this release requires PostgreSQL ${MAJOR_VERSION}`,
    );
  }
  if ((await readdir(directory)).length > 0)
    throw new Error(`${directory} is not empty and contains no database cluster`);
  await options.beforeInitialise?.();
  options.onProgress(`initialising the database (PostgreSQL ${MAJOR_VERSION})`);
  const created = initialise(options);
  options.onWait?.();
  await created;
  return true;
}

/** Returns undefined only if the file does not exist: a file that cannot be read may belong to a cluster with data. */
async function readClusterVersion(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`PG_VERSION of ${directory} cannot be read: ${message}`, { cause: error });
  }
}

async function initialise(options: InitialiseOptions): Promise<void> {
  const { directory, runAs } = options;
  const partial = `${directory}.initialising`;
  try {
    await killLeftOverInitialisation(partial);
    if (!(await copyExistingTemplate(partial, options))) {
      await createEmpty(partial, runAs);
      await runInitdb(partial, options);
    }
    // On other systems a rename atomically replaces an empty folder, and only an empty one.
    if (process.platform === 'win32') await rmdir(directory);
    await rename(partial, directory);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Returns false if there is no template, or none that can be copied. */
async function copyExistingTemplate(target: string, options: InitialiseOptions): Promise<boolean> {
  const { binaries, runAs, findTemplate } = options;
  try {
    const template = await findTemplate?.();
    if (template === undefined) return false;
    await createEmpty(target, runAs);
    await copyTemplate({ template, target, binaries, runAs });
    return true;
  } catch {
    return false;
  }
}

async function createEmpty(directory: string, runAs: RunAs | undefined): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await ensureClusterDirectory(directory, runAs);
}

async function runInitdb(directory: string, { binaries, runAs, password }: InitialiseOptions): Promise<void> {
  const passwordFolder = await mkdtemp(join(tmpdir(), 'greenroom-'));
  const passwordFile = join(passwordFolder, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs)
      await Promise.all([passwordFolder, passwordFile].map((path) => chown(path, runAs.uid, runAs.gid)));
    const path = await pathForServer(directory, runAs);
    await run(binaries.initdb, initdbArguments(path, passwordFile), {
      ...spawnOptions(runAs),
      cwd: directory,
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`initdb failed: ${stderr.trim() || message}`, { cause: error });
  } finally {
    await rm(passwordFolder, { recursive: true, force: true });
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
    // The same sort order of text on every machine, and Unicode-aware upper and lower case.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
}
