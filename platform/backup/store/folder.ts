/**
 * Stores an archive in a folder. A value is written to a temporary file, synced and renamed; then its folder is synced.
 * So a crash leaves the old value or the new one, and perhaps a temporary file, which `removeAbandoned` removes.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ArchiveError } from '../errors.ts';
import { type ArchiveStore, MAX_VALUE_BYTES, type StoredValue } from './archive-store.ts';
import {
  createFolders,
  moveIfAbsent,
  requireFolder,
  syncFile,
  syncFolder,
  writeNew,
  writeSynced,
} from './durable-files.ts';
import { type ClaimEntry, findEntryOwner } from './entry-owner.ts';
import { fileError, hasCode } from './file-error.ts';
import { compareNames, isName, PARTIAL_SUFFIX, requireName, requirePrefix } from './names.ts';

/** Values of `putLater` that are synced together. */
const MAX_WAITING = 256;
/** Files that are synced at the same time. */
const CONCURRENT_SYNCS = 8;

/** Symbolic links are refused, because they could lead out of the archive. Windows does not have the flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Opens the archive in a folder, which the first put creates. */
export function openFolderStore(path: string): ArchiveStore {
  const root = resolve(path);
  const folder = new FolderStore(root);
  return {
    kind: 'folder',
    location: `folder ${root}`,
    path: root,
    put: async (name, bytes) => folder.put(requireName(name), bytes),
    putLater: async (name, bytes) => folder.putLater(requireName(name), bytes),
    flush: () => folder.flush(),
    putIfAbsent: async (name, bytes) => folder.putIfAbsent(requireName(name), bytes),
    get: async (name) => folder.get(requireName(name)),
    list: (prefix) => folder.list(requirePrefix(prefix)),
    remove: async (names) => folder.remove(names.map(requireName)),
    removeAbandoned: (before) => folder.removeAbandoned(before),
    commit: async () => {},
    close: async () => {},
  };
}

class FolderStore {
  /** Folders that exist for certain, so that a put checks each folder once. */
  readonly #folders = new Set<string>();
  readonly #root: string;
  /** How new entries get their owner. */
  #claim: Promise<ClaimEntry> | undefined;
  /** Written values that are neither synced nor in their places. */
  #waiting: { partial: string; path: string }[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#root, name);
    await this.#write(name, bytes, async (partial) => {
      await rename(partial, path);
      return true;
    });
  }

  async putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean> {
    const path = join(this.#root, name);
    return this.#write(name, bytes, async (partial) => {
      const isNew = await moveIfAbsent(partial, path);
      if (!isNew) await unlink(partial);
      return isNew;
    });
  }

  async putLater(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#root, name);
    const partial = partialOf(path);
    try {
      const claim = await this.#findOwner();
      await this.#ensureFolder(dirname(path), claim);
      await writeNew(partial, bytes, claim);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {});
      throw fileError(error, path, 'written');
    }
    this.#waiting.push({ partial, path });
    if (this.#waiting.length >= MAX_WAITING) await this.flush();
  }

  /** Syncs all files before it syncs their folders: the first sync of each writes most of the others. */
  async flush(): Promise<void> {
    const values = this.#waiting;
    this.#waiting = [];
    try {
      await inParallel(values, ({ partial, path }) => place(partial, path));
      await inParallel([...new Set(values.map(({ path }) => dirname(path)))], syncFolder);
    } catch (error) {
      for (const { partial } of values) await rm(partial, { force: true }).catch(() => {});
      throw fileError(error, this.#root, 'written');
    }
  }

  /** Writes a temporary file and puts it in place by `place`, whose result it returns. */
  async #write(
    name: string,
    bytes: Uint8Array,
    place: (partial: string) => Promise<boolean>,
  ): Promise<boolean> {
    const path = join(this.#root, name);
    const partial = partialOf(path);
    try {
      const claim = await this.#findOwner();
      await this.#ensureFolder(dirname(path), claim);
      await writeSynced(partial, bytes, claim).catch(async (error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
        // The folder was removed after an earlier write.
        this.#folders.clear();
        await this.#ensureFolder(dirname(path), claim);
        await writeSynced(partial, bytes, claim);
      });
      const placed = await place(partial);
      await syncFolder(dirname(path));
      return placed;
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {});
      throw fileError(error, path, 'written');
    }
  }

  /** Creates the folders of a value. Refuses symbolic links among them. */
  async #ensureFolder(path: string, claim: ClaimEntry): Promise<void> {
    if (this.#folders.has(path)) return;
    if (path !== this.#root) await this.#ensureFolder(dirname(path), claim);
    await createFolders(path, claim);
    await this.#requireFolder(path);
  }

  /** Before the first entry is created. */
  #findOwner(): Promise<ClaimEntry> {
    this.#claim ??= findEntryOwner(this.#root);
    return this.#claim;
  }

  async get(name: string): Promise<Buffer> {
    const path = join(this.#root, name);
    try {
      await this.#requireFolders(dirname(path));
      const file = await open(path, constants.O_RDONLY | NO_FOLLOW);
      try {
        const { size } = await file.stat();
        if (size > MAX_VALUE_BYTES)
          throw new ArchiveError(
            'damaged',
            `${path} has ${size} bytes; at most ${MAX_VALUE_BYTES} are valid`,
          );
        return await file.readFile();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw fileError(error, path, 'read');
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredValue[]> {
    const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* this.#listFolder(start, prefix);
  }

  /** @param folder empty, or a path with a slash at its end */
  async *#listFolder(folder: string, prefix: string): AsyncGenerator<StoredValue[]> {
    const entries = (await this.#entriesOf(folder)).filter((name) => name.startsWith(prefix));
    let batch: StoredValue[] = [];
    for (const name of entries.toSorted(compareNames)) {
      if (name.endsWith('/')) {
        if (batch.length > 0) yield batch;
        batch = [];
        yield* this.#listFolder(name, prefix);
      } else {
        const value = await this.#statOf(name);
        if (value !== undefined) batch.push(value);
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** Returns the names in a folder; those of folders end with a slash. */
  async #entriesOf(folder: string): Promise<string[]> {
    // A slash at the end would make lstat follow a link.
    const path = join(this.#root, folder.replace(/\/$/, ''));
    try {
      await this.#requireFolders(path);
      const entries = await readdir(path, { withFileTypes: true });
      return entries
        .filter((entry) => isName(entry.name) && (entry.isFile() || entry.isDirectory()))
        .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw fileError(error, path, 'read');
    }
  }

  async #statOf(name: string): Promise<StoredValue | undefined> {
    const path = join(this.#root, name);
    try {
      const { size, mtime } = await lstat(path);
      return { name, size, modified: mtime };
    } catch (error) {
      // Removed since the folder was read.
      if (hasCode(error, 'ENOENT')) return undefined;
      throw fileError(error, path, 'read');
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    const folders = new Set<string>();
    for (const name of names) {
      const path = join(this.#root, name);
      try {
        await this.#requireFolders(dirname(path));
        await unlink(path);
        folders.add(dirname(path));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw fileError(error, path, 'removed');
      }
    }
    for (const folder of folders) await syncFolder(folder);
  }

  /** Removes temporary files that were written before a time; no living process writes a value that long. */
  async removeAbandoned(before: Date): Promise<void> {
    const found = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (hasCode(error, 'ENOENT')) return [];
        throw fileError(error, this.#root, 'read');
      },
    );
    for (const entry of found.filter(({ name }) => name.endsWith(PARTIAL_SUFFIX))) {
      const path = join(entry.parentPath, entry.name);
      const mtime = await lstat(path).then(
        (stats) => (stats.isFile() ? stats.mtime : undefined),
        () => undefined,
      );
      if (mtime !== undefined && mtime < before) await rm(path, { force: true });
    }
  }

  /** Refuses symbolic links among the folders of a value. */
  async #requireFolders(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    if (path !== this.#root) await this.#requireFolders(dirname(path));
    await this.#requireFolder(path);
  }

  /** The folder of the archive may be a link, which the operator has made. */
  async #requireFolder(path: string): Promise<void> {
    await requireFolder(path, { allowLink: path === this.#root });
    this.#folders.add(path);
  }
}

/** Returns the path of a temporary file next to a value. */
function partialOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}${PARTIAL_SUFFIX}`;
}

async function place(partial: string, path: string): Promise<void> {
  try {
    await syncFile(partial);
    await rename(partial, path);
  } catch (error) {
    throw fileError(error, path, 'written');
  }
}

/** Runs `work` for all items, some at the same time. Rejects with the first error when no work runs any more. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  const run = async () => {
    for (const item of left) await work(item);
  };
  const runs = await Promise.allSettled(Array.from({ length: CONCURRENT_SYNCS }, run));
  for (const outcome of runs) if (outcome.status === 'rejected') throw outcome.reason;
}
