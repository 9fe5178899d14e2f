/**
 * The data folder: everything an instance keeps, in one place, used by one process at a time.
 * In charge of the folder, its lock and its small files; not of what is inside `postgres/` and `storage/`.
 */
export {
  type DataFolder,
  FolderInUseError,
  openDataFolder,
  requireFreeFolder,
  UnusableFolderError,
} from './data-folder.ts';
export { readInstanceRecord, writeInstanceRecord } from './instance-record.ts';
export { type Lock, tryLock } from './lock.ts';
export { writeFileAtomically } from './write-atomically.ts';
