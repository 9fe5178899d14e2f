/**
 * The cluster is a folder inside the data folder. Earlier versions that ran as root put it into a system folder and a
 * link into the data folder; such clusters are moved back.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lstat, mkdir, readFile, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lock, tryLock, writeFileAtomically } from '@greenroom/data-folder';
import { isReachable, type RunAs, SYSTEM_STATE_DIRECTORY } from './run-as.ts';

/** Resolves to the working directory of the process that opens it, even without permissions on its parent folders. */
export const WORKING_DIRECTORY = '/proc/self/cwd';
const LOCK_FILE = 'greenroom.lock';
const OWNER_FILE = 'greenroom.owner';
/** Suffix of the link while its cluster is being moved. */
const MOVING = '.moving';

/** The cluster cannot be used from this data folder. */
class ClusterInUseError extends Error {
  override readonly name = 'ClusterInUseError';
}

/**
 * Creates the folder of a cluster at `path`, owned by `runAs` and closed to other users; an existing folder is not
 * changed. Returns its real path. Throws {@link ClusterInUseError} for a link to the cluster of another data folder.
 */
export async function ensureClusterDirectory(path: string, runAs: RunAs | undefined): Promise<string> {
  await finishMove(path);
  const existing = await lstat(path).catch(() => undefined);
  if (existing?.isSymbolicLink()) return resolveLinkedCluster(path);
  if (existing === undefined && !canRunIn(await isReachable(dirname(path), runAs)))
    await linkToSystemDirectory(path);
  const directory = await resolveLink(path);
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (runAs && created !== undefined) await chown(directory, runAs.uid, runAs.gid);
  return realpath(directory);
}

/**
 * Returns the path by which PostgreSQL's programs find a cluster that is their working directory. If their user may not
 * enter a parent folder, they use the working directory itself.
 */
export async function pathForServer(directory: string, runAs: RunAs | undefined): Promise<string> {
  return (await isReachable(directory, runAs)) ? directory : WORKING_DIRECTORY;
}

/**
 * Locks a cluster and writes the path of its data folder into it. Throws {@link ClusterInUseError} if another process
 * holds the lock.
 */
export async function lockCluster(
  directory: string,
  dataFolder: string,
  runAs: RunAs | undefined,
): Promise<Lock> {
  const lock = tryLock(join(directory, LOCK_FILE));
  if (lock === undefined) {
    const owner = (await readClusterOwner(directory)) ?? 'another data folder';
    throw new ClusterInUseError(`the database cluster ${directory} is in use by ${owner}`);
  }
  await writeFileAtomically(join(directory, OWNER_FILE), `${dataFolder}\n`);
  // A base backup reads every file of the cluster as PostgreSQL's user.
  const names = [LOCK_FILE, OWNER_FILE];
  if (runAs) await Promise.all(names.map((name) => chown(join(directory, name), runAs.uid, runAs.gid)));
  return lock;
}

function canRunIn(isFolderReachable: boolean): boolean {
  return isFolderReachable || existsSync(WORKING_DIRECTORY);
}

/** Without /proc, PostgreSQL's user must be able to reach the cluster by its path. */
async function linkToSystemDirectory(path: string): Promise<void> {
  const target = join(SYSTEM_STATE_DIRECTORY, `cluster-${randomBytes(8).toString('hex')}`);
  await mkdir(SYSTEM_STATE_DIRECTORY, { recursive: true, mode: 0o755 });
  await symlink(target, path);
}

async function resolveLink(path: string): Promise<string> {
  return readlink(path).catch(() => path);
}

/**
 * Returns the cluster that a link points to, after moving it back if an earlier version put it into the system folder.
 */
async function resolveLinkedCluster(path: string): Promise<string> {
  const directory = await realpath(path).catch(async () => {
    const target = await readlink(path);
    throw new ClusterInUseError(
      `${path} links to the database cluster ${target}, which does not exist. If the data folder is a copy, copy the cluster as well: cp -rL`,
    );
  });
  await requireOwnCluster(path, directory);
  if (dirname(directory) !== SYSTEM_STATE_DIRECTORY || !existsSync(WORKING_DIRECTORY)) return directory;
  const lock = tryLock(join(directory, LOCK_FILE));
  if (lock === undefined)
    throw new ClusterInUseError(`the database cluster ${directory} is in use by another process`);
  lock.release();
  await rename(path, path + MOVING);
  await finishMove(path);
  return realpath(path);
}

/** A copied data folder contains a copy of the link, which points to the cluster of the original. */
async function requireOwnCluster(path: string, directory: string): Promise<void> {
  const owner = await readClusterOwner(directory);
  const self = await realpath(dirname(path));
  if (owner === undefined || owner === self) return;
  const isOwnedByOther = await realpath(join(owner, 'postgres')).then(
    (otherCluster) => otherCluster === directory,
    () => false,
  );
  if (!isOwnedByOther) return;
  throw new ClusterInUseError(
    `the database cluster ${directory} belongs to the data folder ${owner}, and ${self} is a copy of that folder. Copy the cluster as well: cp -rL`,
  );
}

/**
 * Moves a cluster to the place of its link, or finishes a move that a crash interrupted. Keeps the link if the cluster
 * is on another file system.
 */
async function finishMove(path: string): Promise<void> {
  const link = path + MOVING;
  const target = await readlink(link).catch(() => undefined);
  if (target === undefined) return;
  if (existsSync(target)) {
    try {
      await rename(target, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      await rename(link, path);
      return;
    }
  }
  await rm(link);
}

/** Returns the path of the data folder that last locked the cluster in a folder; undefined if it contains none. */
export async function readClusterOwner(directory: string): Promise<string | undefined> {
  const text = await readFile(join(directory, OWNER_FILE), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
