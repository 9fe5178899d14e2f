/** Buckets and objects over the protocol of Supabase Storage. */
export { storageService } from './service.ts';
