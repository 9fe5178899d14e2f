/** Realtime: broadcast, presence and database changes over the protocol of Supabase Realtime. */
export { realtimeService } from './service.ts';
