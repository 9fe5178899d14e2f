/** Interrupted uploads of files, which resume when the user selects the file again. */
import { type StorageWindow, unfinishedUploadKeys, uploadFingerprint, withStorage } from 'greenroom/app';
import { folderOf, segmentOf, toName } from './file-name.ts';

/** An upload that resumes when the user selects its file again. */
interface UnfinishedUpload {
  /** Key of the browser's entry. */
  key: string;
  folder: string;
  name: string;
}

/** Identifies a file of a user and folder by its properties. */
export function fingerprintOf(
  ownerId: string,
  folder: string,
  { name, size, lastModified, type }: Pick<File, 'name' | 'size' | 'lastModified' | 'type'>,
): string {
  return uploadFingerprint(ownerId, [folder, name, size, lastModified, type]);
}

/** Returns one user's interrupted uploads. */
export function findUnfinished(browser: StorageWindow, ownerId: string): UnfinishedUpload[] {
  return unfinishedUploadKeys(browser, ownerId).flatMap((key) => {
    const text = withStorage(browser, (storage) => storage.getItem(key), null);
    return parse(key, text, ownerId) ?? [];
  });
}

/** Deletes one entry. The uploaded parts expire in storage. */
export function forgetUnfinished(browser: StorageWindow, key: string): void {
  withStorage(browser, (storage) => storage.removeItem(key), undefined);
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
