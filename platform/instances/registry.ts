/**
 * The registry: one file per data folder in the state folder of the user. Each running instance holds a lock next to its
 * file, so an entry whose process has ended is recognised even if its pid belongs to another process by now.
 */
import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUseError, type Lock, tryLock, writeFileAtomically } from '@greenroom/data-folder';
import { type InstanceEntry, parseEntry } from './instance-entry.ts';

const ENTRY = '.json';
const RETRY_MS = 10;
/** Others hold the lock of the registry while they choose a port, which takes milliseconds. */
const REGISTRY_WAIT_MS = 10_000;
/** An instance that was stopped may still be listed for a moment. */
const ENTRY_WAIT_MS = 3000;

/** The entry of this process. */
export interface Registration {
  /** Changes the entry. */
  update(changes: Partial<InstanceEntry>): Promise<void>;
  /** Removes the entry. */
  remove(): Promise<void>;
}

export interface Registry {
  /** Returns the running instances, those of this process included, and removes the entries of others. */
  list(): Promise<InstanceEntry[]>;
  /**
   * Runs `work` with the running instances while no other process lists or chooses. `work` must not call other functions
   * of the registry.
   */
  exclusively<T>(work: (running: readonly InstanceEntry[]) => Promise<T>): Promise<T>;
  /** Adds an entry. Throws `FolderInUseError` if another process has one for this data folder. */
  register(entry: InstanceEntry): Promise<Registration>;
}

/** Creates the folder if it does not exist. Rejects if it cannot be used. */
export async function openRegistry(folder: string): Promise<Registry> {
  const at = (name: string) => join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function locked<T>(work: () => Promise<T>): Promise<T> {
    const lock = await lockWithin(at('registry.lock'), REGISTRY_WAIT_MS);
    if (lock === undefined) throw new Error(`the registry of instances in ${folder} is locked`);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  async function readRunning(): Promise<InstanceEntry[]> {
    const names = (await readdir(folder)).filter((name) => name.endsWith(ENTRY));
    const entries = await Promise.all(names.map((name) => readIfRunning(at(name.slice(0, -ENTRY.length)))));
    return entries.filter((entry) => entry !== undefined);
  }

  /** Locks the entry of a data folder; undefined if another process keeps it. */
  async function lockEntry(path: string): Promise<Lock | undefined> {
    const deadline = Date.now() + ENTRY_WAIT_MS;
    for (;;) {
      const lock = await locked(async () => tryLock(lockOf(path)));
      if (lock !== undefined || Date.now() > deadline) return lock;
      await sleep(RETRY_MS);
    }
  }

  // A file system without locks is reported here.
  await locked(async () => undefined);
  return {
    list: () => locked(readRunning),
    exclusively: (work) => locked(async () => work(await readRunning())),
    async register(entry) {
      const path = at(idOf(entry.dataFolder));
      const lock = await lockEntry(path);
      if (lock === undefined)
        throw new FolderInUseError(entry.dataFolder, (await read(path))?.pid, undefined);
      let current = entry;
      await write(path, current);
      return {
        async update(changes) {
          current = { ...current, ...changes };
          await write(path, current);
        },
        remove: () => locked(() => removeEntry(path, lock)),
      };
    },
  };
}

function idOf(dataFolder: string): string {
  return hash('sha256', resolve(dataFolder), 'hex').slice(0, 32);
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Returns the entry, or removes it if no process holds its lock. */
async function readIfRunning(path: string): Promise<InstanceEntry | undefined> {
  const lock = tryLock(lockOf(path));
  if (lock === undefined) return read(path);
  await removeEntry(path, lock);
  return undefined;
}

/** Only while the registry is locked: otherwise another process could lock the file that is being removed. */
async function removeEntry(path: string, lock: Lock): Promise<void> {
  await rm(path + ENTRY, { force: true });
  lock.release();
  await rm(lockOf(path), { force: true });
}

async function read(path: string): Promise<InstanceEntry | undefined> {
  return parseEntry(await readFile(path + ENTRY, 'utf8').catch(() => ''));
}

function write(path: string, entry: InstanceEntry): Promise<void> {
  return writeFileAtomically(path + ENTRY, `${JSON.stringify(entry, null, 2)}\n`, 0o600);
}

async function lockWithin(path: string, waitMs: number): Promise<Lock | undefined> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined || Date.now() > deadline) return lock;
    await sleep(RETRY_MS);
  }
}
