/** Remembers an import that is running, so that it can be continued after the page was left. */
import type { EmptyFields, Mapping } from '../csv-mapping.ts';

/** An import that has not ended. */
export interface SavedImport {
  auditId: string;
  /** Identifies the file, whose content the browser does not keep. */
  file: { name: string; size: number; lastModified: number };
  mapping: Mapping;
  empty: EmptyFields;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (table: string) => `greenroom-import:${table}`;

/** Returns the import of a table; undefined without one. */
export function loadImport(store: Store, table: string): SavedImport | undefined {
  try {
    const saved = JSON.parse(store.getItem(keyOf(table)) ?? 'null') as SavedImport | null;
    return saved && typeof saved.auditId === 'string' && Array.isArray(saved.mapping) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers an import, or forgets it. */
export function saveImport(store: Store, table: string, saved: SavedImport | undefined): void {
  if (saved) store.setItem(keyOf(table), JSON.stringify(saved));
  else store.removeItem(keyOf(table));
}

/** Returns whether the file is the one of the import. */
export function isSameFile(
  { file }: SavedImport,
  { name, size, lastModified }: SavedImport['file'],
): boolean {
  return file.name === name && file.size === size && file.lastModified === lastModified;
}
