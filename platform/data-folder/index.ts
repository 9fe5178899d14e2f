/**
 * The data folder: all files of an instance, used by one process at a time. This module manages the folder, its lock
 * and its small files, but not the contents of `postgres/` and `storage/`.
 */
export {
  type DataFolder,
  ensureDataFolder,
  FolderInUseError,
  openDataFolder,
  requireFreeFolder,
  UnusableFolderError,
} from './data-folder.ts';
export {
  type InstanceCredentials,
  type InstanceRecord,
  readInstanceRecord,
  removeCredentials,
  writeInstanceRecord,
} from './instance-record.ts';
export { type Lock, tryLock } from './lock.ts';
export { isProcessAlive } from './process-alive.ts';
export {
  REMEMBERED_FILE,
  readRememberedSettings,
  rememberSettings,
} from './remembered-settings.ts';
export { writeFileAtomically } from './write-atomically.ts';
