/** Uploads that were broken off: what this browser remembers of them, in the form that `tus-js-client` keeps it in. */
import { type Keeper, withStorage } from '../lib/kept-edits.ts';
import { folderOf, segmentOf, toName } from './file-name.ts';

/** An upload that goes on once its file is chosen again. */
export interface Unfinished {
  /** Of the browser's entry. */
  key: string;
  folder: string;
  name: string;
}

const OURS = 'greenroom-file';
/** What that package puts before what we say. */
const PREFIX = `tus::${OURS}`;

/** Tells one file from another, as far as a browser can: it does not say where a file lies. */
export function fingerprintOf(
  ownerId: string,
  folder: string,
  { name, size, lastModified, type }: Pick<File, 'name' | 'size' | 'lastModified' | 'type'>,
): string {
  return [OURS, ownerId, folder, name, size, lastModified, type].map(encodeURIComponent).join('-');
}

/** Uploads of one person that were not finished. */
export function findUnfinished(browser: Keeper, ownerId: string): Unfinished[] {
  return withStorage(
    browser,
    (storage) => keysOf(storage, ownerId).flatMap((key) => parse(key, storage.getItem(key), ownerId) ?? []),
    [],
  );
}

/** Forgets one of them. Its parts expire in storage. */
export function forgetUnfinished(browser: Keeper, key: string): void {
  withStorage(browser, (storage) => storage.removeItem(key), undefined);
}

/** Forgets all of a person's uploads, or of everybody's: a shared device must not tell their names. */
export function forgetAllUnfinished(browser: Keeper, ownerId?: string): void {
  withStorage(
    browser,
    (storage) => {
      for (const key of keysOf(storage, ownerId)) storage.removeItem(key);
    },
    undefined,
  );
}

function keysOf(storage: Storage, ownerId?: string): string[] {
  const prefix = ownerId === undefined ? PREFIX : `${PREFIX}-${ownerId}-`;
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(prefix));
}

function parse(key: string, text: string | null, ownerId: string): Unfinished | undefined {
  try {
    const { metadata } = JSON.parse(text ?? '') as { metadata?: { objectName?: unknown } };
    const objectName = metadata?.objectName;
    if (typeof objectName !== 'string' || !objectName.startsWith(`${ownerId}/`)) return undefined;
    const path = objectName.slice(ownerId.length + 1);
    return { key, folder: folderOf(path), name: toName(segmentOf(path)) };
  } catch {
    return undefined;
  }
}
