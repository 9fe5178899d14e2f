/**
 * Stores one backup in one tar file, which can also be extracted to a folder. The file is written once, as
 * `<name>.<random>.partial`, and gets its name when the backup is complete.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ArchiveError } from '../errors.ts';
import { type ArchiveStore, MAX_VALUE_BYTES, type StoredValue } from './archive-store.ts';
import { createFolders, moveIfAbsent, syncFolder } from './durable-files.ts';
import { fileError, hasCode } from './file-error.ts';
import { compareNames, isName, PARTIAL_SUFFIX, requireName, requirePrefix } from './names.ts';
import { decodeTarHeader, encodeTarHeader, paddedBytes, TAR_BLOCK_BYTES } from './tar-header.ts';

const FILE_MODE = 0o600;
/** Values in one batch of a list. */
const BATCH = 1000;
/** Two empty blocks end a tar file. */
const END = Buffer.alloc(2 * TAR_BLOCK_BYTES);

/** Opens the archive in a file. An existing file is read only; a new one is created by the first put. */
export function openFileStore(path: string): ArchiveStore {
  const file = new TarFile(resolve(path));
  return {
    kind: 'file',
    location: `file ${resolve(path)}`,
    path: resolve(path),
    put: async (name, bytes) => file.put(requireName(name), bytes),
    putLater: async (name, bytes) => file.put(requireName(name), bytes),
    flush: async () => {},
    putIfAbsent: async (name, bytes) => file.putIfAbsent(requireName(name), bytes),
    get: async (name) => file.get(requireName(name)),
    list: (prefix) => file.list(requirePrefix(prefix)),
    remove: async () => {
      throw new ArchiveError(
        'refused',
        `file ${resolve(path)} contains one backup, from which nothing is removed`,
      );
    },
    removeAbandoned: (before) => file.removeAbandoned(before),
    commit: () => file.commit(),
    close: () => file.close(),
  };
}

/** A value in the file. */
interface Location {
  /** Position of its first byte. */
  start: number;
  size: number;
  modified: Date;
}

class TarFile {
  readonly #path: string;
  readonly #partial: string;
  readonly #values = new Map<string, Location>();
  #opened: Promise<FileHandle | undefined> | undefined;
  #state: 'new' | 'writing' | 'complete' = 'new';
  /** Position after the last value. */
  #end = 0;

  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.${randomBytes(6).toString('hex')}${PARTIAL_SUFFIX}`;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const file = await this.#writable();
    const modified = new Date();
    const header = encodeTarHeader({ name, size: bytes.length, modified });
    const start = this.#end + header.length;
    const padding = Buffer.alloc(paddedBytes(bytes.length) - bytes.length);
    const position = this.#end;
    // The space is taken before the first wait, so puts may overlap.
    this.#end = start + paddedBytes(bytes.length);
    try {
      await writeAll(file, Buffer.concat([header, bytes, padding]), position);
    } catch (error) {
      throw fileError(error, this.#partial, 'written');
    }
    this.#values.set(name, { start, size: bytes.length, modified });
  }

  /** One process writes the file, so its own puts are the only ones. */
  async putIfAbsent(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.#writable();
    if (this.#values.has(name)) return false;
    // Another call must not find the name free while this one writes.
    this.#values.set(name, { start: 0, size: 0, modified: new Date() });
    await this.put(name, bytes);
    return true;
  }

  async get(name: string): Promise<Buffer> {
    const file = await this.#open();
    const value = this.#values.get(name);
    if (file === undefined || value === undefined)
      throw new ArchiveError('missing', `${name} does not exist in ${this.#path}`);
    const bytes = Buffer.alloc(value.size);
    const { bytesRead } = await file.read(bytes, 0, value.size, value.start);
    if (bytesRead === value.size) return bytes;
    throw new ArchiveError('damaged', `${this.#path} ends within ${name}`);
  }

  async *list(prefix: string): AsyncGenerator<StoredValue[]> {
    await this.#open();
    const names = [...this.#values.keys()].filter((name) => name.startsWith(prefix)).toSorted(compareNames);
    for (let at = 0; at < names.length; at += BATCH)
      yield names.slice(at, at + BATCH).flatMap((name) => {
        const value = this.#values.get(name);
        return value === undefined ? [] : [{ name, size: value.size, modified: value.modified }];
      });
  }

  async commit(): Promise<void> {
    const file = await this.#open();
    if (file === undefined || this.#state !== 'writing') return;
    try {
      await writeAll(file, END, this.#end);
      await file.sync();
      if (!(await moveIfAbsent(this.#partial, this.#path))) throw existing(this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw fileError(error, this.#path, 'written');
    }
    this.#state = 'complete';
  }

  /** Removes the file of a backup that was not completed. */
  async close(): Promise<void> {
    const file = await this.#opened?.catch(() => undefined);
    await file?.close();
    if (this.#state === 'writing') await rm(this.#partial, { force: true });
    this.#state = 'complete';
    this.#opened = undefined;
    this.#values.clear();
  }

  async removeAbandoned(before: Date): Promise<void> {
    const folder = dirname(this.#path);
    const start = `${basename(this.#path)}.`;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(start) && each.endsWith(PARTIAL_SUFFIX))) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile() && found.mtime < before) await rm(join(folder, name), { force: true });
    }
  }

  async #writable(): Promise<FileHandle> {
    await this.#open();
    if (this.#state === 'complete') throw existing(this.#path);
    if (this.#state === 'new') {
      this.#state = 'writing';
      this.#opened = this.#create();
    }
    const file = await this.#opened;
    if (file === undefined) throw existing(this.#path);
    return file;
  }

  async #create(): Promise<FileHandle> {
    try {
      await createFolders(dirname(this.#path));
      return await open(this.#partial, 'wx+', FILE_MODE);
    } catch (error) {
      this.#state = 'new';
      this.#opened = undefined;
      throw fileError(error, this.#path, 'written');
    }
  }

  /** Opens the file and reads its headers; undefined if it does not exist. */
  #open(): Promise<FileHandle | undefined> {
    this.#opened ??= this.#scan();
    return this.#opened;
  }

  async #scan(): Promise<FileHandle | undefined> {
    let file: FileHandle;
    try {
      file = await open(this.#path, constants.O_RDONLY);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw fileError(error, this.#path, 'read');
    }
    this.#state = 'complete';
    try {
      await this.#readHeaders(file);
      return file;
    } catch (error) {
      await file.close();
      if (error instanceof ArchiveError)
        throw new ArchiveError(error.kind, `${this.#path} is damaged: ${error.message}`, { cause: error });
      throw fileError(error, this.#path, 'read');
    }
  }

  async #readHeaders(file: FileHandle): Promise<void> {
    const header = Buffer.alloc(TAR_BLOCK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(header, 0, TAR_BLOCK_BYTES, this.#end);
      const entry = decodeTarHeader(header.subarray(0, bytesRead), this.#end);
      if (entry === undefined && bytesRead === TAR_BLOCK_BYTES) return;
      if (entry === undefined)
        throw new ArchiveError('damaged', `it ends at byte ${this.#end}, without an end mark`);
      const { name, size, modified } = entry;
      const isValue = isName(name) && size <= MAX_VALUE_BYTES;
      if (isValue) this.#values.set(name, { start: this.#end + TAR_BLOCK_BYTES, size, modified });
      this.#end += TAR_BLOCK_BYTES + paddedBytes(size);
    }
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

function existing(path: string): ArchiveError {
  return new ArchiveError('refused', `file ${path} exists and is not changed: choose another name`);
}
