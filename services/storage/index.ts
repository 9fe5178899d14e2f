/** Storage: buckets and objects over the protocol of Supabase Storage. */

export { bindStore, requireUnboundStore } from './binding/bind.ts';
export { STORAGE_CONNECTIONS } from './database-turns.ts';
export { openStorage, type StorageInstance } from './instance.ts';
export { storageMigrations } from './migrations.ts';
export { OPEN_STORAGE_PATHS, STORAGE_CORS, storageService } from './service.ts';
export type { ObjectStore } from './store/object-store.ts';
export { openStore } from './store/open-store.ts';
