/** Storage: buckets and objects over the protocol of Supabase Storage. */

export { type BindOptions, bindStore, requireUnboundStore } from './binding/bind.ts';
export { StoreMismatchError } from './binding/refusal.ts';
export { STORAGE_CONNECTIONS } from './database-turns.ts';
export { storageErrors } from './errors.ts';
export { openStorage, type StorageInstance, type StorageOptions } from './instance.ts';
export { storageMigrations } from './migrations.ts';
export { OPEN_STORAGE_PATHS, STORAGE_CORS, type StorageServiceOptions, storageService } from './service.ts';
export type { ObjectStore } from './store/object-store.ts';
export { openStore } from './store/open-store.ts';
