/** The entries of a folder. Pure. */
import { joinPath, toName } from './file-name.ts';

/** A file. `path` is its key without the owner's folder. */
export interface FileEntry {
  kind: 'file';
  path: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Media type. */
  type: string;
  /** Seconds since 1970. */
  changedAt: number;
  /** Changes with the content. */
  version: string;
}

/** A folder; it exists as long as it contains a file. */
interface FolderEntry {
  kind: 'folder';
  path: string;
  name: string;
}

export type Entry = FileEntry | FolderEntry;

/** Name of the file that keeps an empty folder, as in the hosted service's dashboard. */
export const PLACEHOLDER = '.emptyFolderPlaceholder';

/** The fields of a row in storage's list that are used. */
export interface ListedObject {
  name: string;
  id: string | null;
  updated_at?: string | null;
  metadata?: Record<string, unknown> | null;
}

/** Converts a list of `folder`. */
export function toEntries(listed: readonly ListedObject[], folder: string): Entry[] {
  return listed.filter(({ name }) => name !== PLACEHOLDER).map((object) => toEntry(object, folder));
}

function toEntry({ name: segment, id, updated_at, metadata }: ListedObject, folder: string): Entry {
  const path = joinPath(folder, segment);
  const name = toName(segment);
  if (id === null) return { kind: 'folder', path, name };
  const { size, mimetype, eTag } = metadata ?? {};
  return {
    kind: 'file',
    path,
    name,
    size: typeof size === 'number' ? size : 0,
    type: typeof mimetype === 'string' ? mimetype : '',
    changedAt: Math.floor(Date.parse(updated_at ?? '') / 1000) || 0,
    version: typeof eTag === 'string' ? eTag : '',
  };
}

const collators = new Map<string, Intl.Collator>();

/** Creating a collator takes much longer than using it. */
function collatorOf(language: string): Intl.Collator {
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true });
  collators.set(language, collator);
  return collator;
}

/** Sorts folders first, then by name in the order of a language. */
export function sortEntries(entries: readonly Entry[], language: string): Entry[] {
  const { compare } = collatorOf(language);
  const rank = ({ kind }: Entry) => (kind === 'folder' ? 0 : 1);
  return entries.toSorted(
    (a, b) => rank(a) - rank(b) || compare(a.name, b.name) || (a.path < b.path ? -1 : 1),
  );
}
