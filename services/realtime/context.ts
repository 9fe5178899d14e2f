/** The dependencies that all sockets and channels of one node share. */

import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { TokenReader } from './authorize/token.ts';
import type { Feed } from './feed/feed.ts';
import type { ChangeFrames } from './frames/change-frames.ts';
import type { Hub } from './hub/hub.ts';
import type { Limits, TotalRates } from './limits/limits.ts';
import type { RealtimeMetrics } from './metrics.ts';
import type { RealtimeConfig } from './settings.ts';

/** Timeouts and intervals without a setting, in milliseconds. Tests shorten them. */
export interface Timings {
  /** A socket is closed after this time without a frame from its client. */
  idleMs: number;
  /** A socket is closed after this time without a channel. */
  emptySocketMs: number;
  /** Longest interval between two checks whether a token has expired. */
  tokenCheckMs: number;
  /** How long a channel that asked for a `replication_ready` message waits for the replication stream. */
  replicationReadyMs: number;
  /** How long a join waits for a suspended feed to reconnect. A client gives up after ten seconds. */
  feedResumeTimeoutMs: number;
  /** Shortest pause before a failed subscription to database changes is retried; the longest is twice as long. */
  resubscribeMs: number;
  /** How long a socket may take to close. */
  closeMs: number;
}

/** The timeouts of the hosted service. */
export const DEFAULT_TIMINGS: Timings = {
  idleMs: 60_000,
  emptySocketMs: 600_000,
  tokenCheckMs: 300_000,
  replicationReadyMs: 60_000,
  feedResumeTimeoutMs: 3000,
  resubscribeMs: 5000,
  closeMs: 2000,
};

/** The shared dependencies of one realtime instance. */
export interface Context {
  config: RealtimeConfig;
  timings: Timings;
  hub: Hub;
  /** Logged in as the owner of realtime.messages. */
  database: Database;
  /** Undefined if the server does not replicate: then there are no database changes and no messages from SQL. */
  feed: Feed | undefined;
  readToken: TokenReader;
  /** Rolling averages of all clients of this node. */
  rates: TotalRates;
  /** Limits of each client and of all clients together. */
  limits: Limits;
  changeFrames: ChangeFrames;
  metrics: RealtimeMetrics;
  log: Logger;
  /** Returns an id that is unique across all nodes. */
  newId(): string;
}
