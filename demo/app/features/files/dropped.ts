/** Reads dropped files, and folders with all of their content. */
import { isTooDeep, joinPath, normalizeName, toSegment } from './file-name.ts';

/** A dropped item: a file system entry, or a file if the browser does not support entries. */
export type DroppedItem = FileSystemEntry | File;

/** Files by the path of their target folder. */
interface Dropped {
  files: ReadonlyMap<string, readonly File[]>;
  /** Paths of empty folders. */
  emptyFolders: readonly string[];
  /** Some items were skipped: folders that are too deep, or items that could not be read. */
  isIncomplete: boolean;
}

/** Hidden files that operating systems create; they are skipped. */
const IGNORED_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Returns the items of a drop. Call it in the event handler: the browser clears them afterwards. */
export function itemsOf({ items }: DataTransfer): DroppedItem[] {
  return [...items]
    .filter(({ kind }) => kind === 'file')
    .flatMap((item) => item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []);
}

/** Reads the items that were dropped on a folder. Never rejects. */
export async function readDropped(items: readonly DroppedItem[], folder: string): Promise<Dropped> {
  const found = { files: new Map<string, File[]>(), emptyFolders: [] as string[], isIncomplete: false };
  const walk = async (item: DroppedItem, target: string): Promise<void> => {
    if (!('isDirectory' in item)) add(found.files, target, item);
    else if (isFile(item)) add(found.files, target, await readFile(item));
    else if (isDirectory(item))
      await walkDirectory(item, joinPath(target, toSegment(normalizeName(item.name) || 'folder')));
  };
  const walkDirectory = async (directory: FileSystemDirectoryEntry, target: string): Promise<void> => {
    if (isTooDeep(target)) {
      found.isIncomplete = true;
      return;
    }
    const entries = (await readEntries(directory))
      .filter(({ name }) => !IGNORED_FILES.has(name))
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    if (entries.length === 0) found.emptyFolders.push(target);
    for (const entry of entries) await walkSafely(entry, target);
  };
  /** Skips an item that cannot be read. */
  const walkSafely = (item: DroppedItem, target: string) =>
    walk(item, target).catch(() => {
      found.isIncomplete = true;
    });
  for (const item of items) await walkSafely(item, folder);
  return found;
}

function add(files: Map<string, File[]>, folder: string, file: File): void {
  const existing = files.get(folder);
  if (existing) existing.push(file);
  else files.set(folder, [file]);
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Browsers return about 100 entries per call; an empty result marks the end. */
async function readEntries(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}
