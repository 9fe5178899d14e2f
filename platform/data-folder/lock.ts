/**
 * The lock of a data folder. It is held by the operating system on our behalf (SQLite's file locks, which Node.js
 * brings along), so it ends with the process, however that ends: a stale lock cannot exist.
 */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A held lock. */
export interface Lock {
  release(): void;
}

/** Takes the lock at `path`, or returns undefined where another process holds it. */
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
