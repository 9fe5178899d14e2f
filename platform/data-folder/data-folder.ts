/** Opens a data folder for this process alone. */
import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readInstanceRecord, writeInstanceRecord } from './instance-record.ts';
import { tryLock } from './lock.ts';

/** An open data folder. */
export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of something inside. */
  at(name: string): string;
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

/**
 * Makes the folder where it does not exist, takes its lock and notes who we are. Throws {@link FolderInUseError}.
 * Other users may pass through the folder (PostgreSQL runs as another user where we are root) but not list it.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const path = resolve(directory);
  await mkdir(path, { recursive: true });
  if (process.platform !== 'win32') await chmod(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  const lock = tryLock(join(path, 'lock'));
  if (lock === undefined) {
    const holder = await readInstanceRecord(path);
    throw new FolderInUseError(path, holder?.pid, holder?.apiUrl);
  }
  await writeInstanceRecord(path, { pid: process.pid, startedAt: new Date().toISOString() });
  return { path, at: (name) => join(path, name), release: () => lock.release() };
}
