/** Storage: buckets and objects over the protocol of Supabase Storage. */

export { storageErrors } from './errors.ts';
export { storageMigrations } from './migrations.ts';
