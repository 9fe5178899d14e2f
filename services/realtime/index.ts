/** Realtime: broadcast, presence and database changes over the protocol of Supabase Realtime. */

export { realtimeMigrations } from './migrations.ts';
