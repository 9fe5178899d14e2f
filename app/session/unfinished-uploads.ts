/** Interrupted uploads: the entries that `tus-js-client` keeps in this browser's `localStorage`. */
import { type StorageWindow, withStorage } from '../lib/unsent-edits.ts';

const FINGERPRINT_PREFIX = 'greenroom-file';
/** The package puts `tus::` before the fingerprint. */
const PREFIX = `tus::${FINGERPRINT_PREFIX}`;

/**
 * Returns a fingerprint for `tus-js-client`, whose entry in this browser is deleted when the user signs out.
 * @param parts identify the file, because the browser does not reveal its path
 */
export function uploadFingerprint(ownerId: string, parts: readonly (string | number)[]): string {
  return [FINGERPRINT_PREFIX, ownerId, ...parts].map(encodeURIComponent).join('-');
}

/** Returns the keys of the entries of one user, or of all users. */
export function unfinishedUploadKeys(browser: StorageWindow, ownerId?: string): string[] {
  return withStorage(browser, (storage) => keysOf(storage, ownerId), []);
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
