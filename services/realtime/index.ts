/** Realtime: broadcast, presence and database changes over the protocol of Supabase Realtime. */

export type { Feed } from './feed/feed.ts';
export { openFeed } from './feed/open-feed.ts';
export { openRealtime, type RealtimeInstance } from './instance.ts';
export { realtimeMigrations } from './migrations.ts';
export { type NodeBus, openNodeBus } from './nodes/bus.ts';
export { DEFAULT_NODE_TIMINGS } from './nodes/log.ts';
export { openPostgresLog } from './nodes/postgres-log.ts';
export { OPEN_REALTIME_PATHS, realtimeService } from './service.ts';
