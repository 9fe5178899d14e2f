/** Realtime: broadcast, presence and database changes over the protocol of Supabase Realtime. */

export { realtimeErrors } from './errors.ts';
export type { Feed } from './feed/feed.ts';
export { type FeedOptions, openFeed } from './feed/open-feed.ts';
export type { Bus, BusMessage } from './hub/bus.ts';
export { openRealtime, type RealtimeInstance, type RealtimeOptions } from './instance.ts';
export { realtimeMigrations } from './migrations.ts';
export { type NodeBus, openNodeBus } from './nodes/bus.ts';
export { DEFAULT_NODE_TIMINGS } from './nodes/log.ts';
export { openPostgresLog } from './nodes/postgres-log.ts';
export { OPEN_REALTIME_PATHS, type RealtimeServiceOptions, realtimeService } from './service.ts';
