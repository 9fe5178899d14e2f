/** Opens a data folder for this process alone. */
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readInstanceRecord, writeInstanceRecord } from './instance-record.ts';
import { type Lock, tryLock } from './lock.ts';

const LOCK = 'lock';

/** Free bytes below which the disk counts as full: PostgreSQL adds segments of 16 MB to its log. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;

/** An open data folder. */
export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of something inside. */
  at(name: string): string;
  /** Rejects with {@link UnusableFolderError} if the folder is missing, replaced or read-only, or its disk is full. */
  requireUsable(): Promise<void>;
  /** Lets another process have the folder. */
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
 * Makes the folder where it does not exist, takes its lock and notes who we are. Throws {@link FolderInUseError}.
 * Other users may pass through a folder that we make (PostgreSQL runs as another user where we are root) but not list
 * it; the permissions of one that exists are its owner's business.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const path = resolve(directory);
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined && process.platform !== 'win32')
    await chmod(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  const lock = await takeLock(path);
  await noteStart(path);
  const { ino } = await stat(join(path, LOCK));
  return {
    path,
    at: (name) => join(path, name),
    requireUsable: () => requireUsable(path, ino),
    release: () => lock.release(),
  };
}

/** @param lockInode inode of the lock file that this process holds */
async function requireUsable(path: string, lockInode: number): Promise<void> {
  const unusable = (reason: string, cause?: unknown) =>
    new UnusableFolderError(`the data folder ${path} ${reason}`, { cause });
  const lock = await stat(join(path, LOCK)).catch((error: unknown) => {
    throw unusable('is missing', error);
  });
  if (lock.ino !== lockInode) throw unusable('has been replaced');
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw unusable('cannot be written', error);
  });
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < MIN_FREE_BYTES) throw unusable(`has only ${bavail * bsize} bytes of free disk`);
}

/** Throws {@link FolderInUseError} where another process holds the folder. Makes nothing. */
export async function requireFreeFolder(directory: string): Promise<void> {
  const path = resolve(directory);
  if (existsSync(join(path, LOCK))) (await takeLock(path)).release();
}

async function takeLock(path: string): Promise<Lock> {
  const lock = tryLock(join(path, LOCK));
  if (lock !== undefined) return lock;
  const holder = await readInstanceRecord(path);
  throw new FolderInUseError(path, holder?.pid, holder?.ready ? holder.apiUrl : undefined);
}

/** Where the last instance was reached stays noted until this one is ready: the start may yet fail. */
async function noteStart(path: string): Promise<void> {
  const last = await readInstanceRecord(path);
  await writeInstanceRecord(path, {
    ...last,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    ready: false,
  });
}
