/** Interrupted uploads: the entries that `tus-js-client` keeps in this browser's `localStorage`. */
import { type StorageWindow, withStorage } from '../lib/unsent-edits.ts';
import { folderOf, segmentOf, toName } from './file-name.ts';

/** An upload that resumes when the user selects its file again. */
export interface UnfinishedUpload {
  /** Key of the browser's entry. */
  key: string;
  folder: string;
  name: string;
}

const FINGERPRINT_PREFIX = 'greenroom-file';
/** The package puts `tus::` before the fingerprint. */
const PREFIX = `tus::${FINGERPRINT_PREFIX}`;

/**
 * Identifies a file of a user and folder. The browser does not reveal the path of the file, so its
 * properties have to suffice.
 */
export function fingerprintOf(
  ownerId: string,
  folder: string,
  { name, size, lastModified, type }: Pick<File, 'name' | 'size' | 'lastModified' | 'type'>,
): string {
  return [FINGERPRINT_PREFIX, ownerId, folder, name, size, lastModified, type]
    .map(encodeURIComponent)
    .join('-');
}

/** Returns one user's interrupted uploads. */
export function findUnfinished(browser: StorageWindow, ownerId: string): UnfinishedUpload[] {
  return withStorage(
    browser,
    (storage) => keysOf(storage, ownerId).flatMap((key) => parse(key, storage.getItem(key), ownerId) ?? []),
    [],
  );
}

/** Deletes one entry. The uploaded parts expire in storage. */
export function forgetUnfinished(browser: StorageWindow, key: string): void {
  withStorage(browser, (storage) => storage.removeItem(key), undefined);
}

/** Deletes the entries of one user, or of all users: a shared device must not reveal file names. */
export function forgetAllUnfinished(browser: StorageWindow, ownerId?: string): void {
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

function parse(key: string, text: string | null, ownerId: string): UnfinishedUpload | undefined {
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
