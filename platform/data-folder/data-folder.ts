/** Opens a data folder for exclusive use by this process. */
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readInstanceRecord, writeInstanceRecord } from './instance-record.ts';
import { type Lock, tryLock } from './lock.ts';
import { isProcessAlive } from './process-alive.ts';

const LOCK = 'lock';

/** Number of free bytes below which the disk counts as full: PostgreSQL adds segments of 16 MB to its log. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;

/** Commands that check whether a folder is in use hold its lock for a moment. */
const LOCK_WAIT_MS = 500;
const LOCK_RETRY_MS = 20;

/** An open data folder. */
export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** Returns the absolute path of a file or folder inside. */
  at(name: string): string;
  /** Rejects with {@link UnusableFolderError} if the folder is missing, replaced or read-only, or its disk is full. */
  requireUsable(): Promise<void>;
  /** Releases the lock, so that another process can open the folder. */
  release(): void;
}

/** Another process holds the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  readonly pid: number | undefined;

  constructor(path: string, pid: number | undefined, apiUrl: string | undefined) {
    const holder =
      pid === undefined ? 'another process' : `the process ${pid}${apiUrl ? ` at ${apiUrl}` : ''}`;
    super(
      `the data folder ${path} is in use by ${holder}. Stop it, or set GREENROOM_DATA_DIR to another folder.`,
    );
    this.pid = pid;
  }
}

/** Nothing can be written to the data folder. */
export class UnusableFolderError extends Error {
  override readonly name = 'UnusableFolderError';
}

/**
 * Creates the folder if it does not exist. Other users may traverse but not list it, because PostgreSQL runs as another
 * user if this process is root, and git ignores its contents. An existing folder is not changed.
 */
export async function ensureDataFolder(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created !== undefined && process.platform !== 'win32')
    await chmod(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  if (created !== undefined) await ignoreInGit(path);
}

/**
 * Creates the folder if it does not exist, locks it and records this process in it. Throws {@link FolderInUseError}, and
 * {@link UnusableFolderError} if this process is root, and the folder has the instance of another user.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const path = resolve(directory);
  await ensureDataFolder(path);
  const lock = await acquireLock(path, LOCK_WAIT_MS);
  await requireOwnInstance(path).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  await recordStart(path);
  const { ino } = await stat(join(path, LOCK));
  return {
    path,
    at: (name) => join(path, name),
    requireUsable: () => requireUsable(path, ino),
    release: () => lock.release(),
  };
}

/**
 * An instance of another user could not start again after root has used its folder: its database would have files of root. If
 * root runs the instance, the keys belong to root, and the cluster to another user.
 */
async function requireOwnInstance(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const [keys, cluster] = await Promise.all(
    ['keys.json', 'postgres'].map((name) => ownerOf(join(path, name))),
  );
  if (keys === undefined || keys === 0 || keys !== cluster) return;
  throw new UnusableFolderError(
    `the data folder ${path} has the instance of the user with the id ${keys}, which could not start after a command of root: run the command as that user, e.g. by sudo -u '#${keys}'`,
  );
}

async function ownerOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
}

/** Keys and data of users must not become part of a repository. */
async function ignoreInGit(path: string): Promise<void> {
  await writeFile(join(path, '.gitignore'), '*\n');
}

/** @param lockInode inode of the lock file that this process holds */
async function requireUsable(path: string, lockInode: number): Promise<void> {
  const unusable = (reason: string, cause?: unknown) =>
    new UnusableFolderError(`the data folder ${path} ${reason}`, { cause });
  const lock = await stat(join(path, LOCK)).catch((error: unknown) => {
    throw unusable('is missing', error);
  });
  if (lock.ino !== lockInode) throw unusable('has been replaced since the start');
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw unusable('cannot be written', error);
  });
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < MIN_FREE_BYTES) throw unusable(`has only ${bavail * bsize} bytes of free disk space`);
}

/** Throws {@link FolderInUseError} if another process holds the folder. Creates nothing. */
export async function requireFreeFolder(directory: string): Promise<void> {
  const path = resolve(directory);
  if (existsSync(join(path, LOCK))) (await acquireLock(path, 0)).release();
}

async function acquireLock(path: string, waitMs: number): Promise<Lock> {
  const deadline = Date.now() + waitMs;
  let lock = tryLock(join(path, LOCK));
  const isUsed = lock === undefined && (await isOfRunningInstance(path));
  while (lock === undefined && !isUsed && Date.now() < deadline) {
    await sleep(LOCK_RETRY_MS);
    lock = tryLock(join(path, LOCK));
  }
  if (lock !== undefined) return lock;
  const holder = await readInstanceRecord(path);
  throw new FolderInUseError(path, holder?.pid, holder?.ready ? holder.apiUrl : undefined);
}

/** Whether the folder is that of an instance that is ready, which holds the lock for longer than a moment. */
async function isOfRunningInstance(path: string): Promise<boolean> {
  const holder = await readInstanceRecord(path);
  return holder?.ready === true && holder.pid !== process.pid && isProcessAlive(holder.pid);
}

/**
 * Keeps the address of the last instance in the record until this one is ready, because the start may still fail. Removes
 * the credentials and the mailbox of an instance that crashed.
 */
async function recordStart(path: string): Promise<void> {
  const { credentials: _, mailboxUrl: __, ...last } = (await readInstanceRecord(path)) ?? {};
  await writeInstanceRecord(path, {
    ...last,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    ready: false,
  });
}
