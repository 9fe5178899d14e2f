/**
 * The lock of a data folder. The operating system holds it for this process (through SQLite's file locks, which are
 * part of Node.js), so it ends with the process, even after a crash: a stale lock cannot exist.
 */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Acquires the lock at `path`; returns undefined if another process holds it. */
export function tryLock(path: string): Lock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  chmodSync(path, 0o600);
  return { release: () => database.close() };
}

/** SQLITE_BUSY (5): the file is locked by another connection. */
function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
