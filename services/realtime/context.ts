/** What every socket and channel of one node stands on. */

import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { TokenReader } from './authorize/token.ts';
import type { Feed } from './feed/feed.ts';
import type { ChangeFrames } from './frames/change-frames.ts';
import type { Hub } from './hub/hub.ts';
import type { Limits, TotalRates } from './limits/limits.ts';
import type { RealtimeMetrics } from './metrics.ts';
import type { RealtimeConfig } from './settings.ts';

/** How long things take that nobody sets. All in milliseconds. */
export interface Timings {
  /** A socket that is silent for so long is closed. */
  idleMs: number;
  /** A socket that has no channel for so long is closed. */
  emptySocketMs: number;
  /** Longest time between two looks at whether a token has expired. */
  tokenCheckMs: number;
  /** How long a channel waits for the stream of messages from SQL, if it wants to be told. */
  replicationReadyMs: number;
  /** How long a join waits for a feed that has rested. A client gives up after ten seconds. */
  feedWakesMs: number;
  /** Shortest pause before database changes are subscribed to once more; the longest is twice as long. */
  resubscribeMs: number;
  /** How long a socket may take to close. */
  closeMs: number;
}

/** The hosted service's. */
export const DEFAULT_TIMINGS: Timings = {
  idleMs: 60_000,
  emptySocketMs: 600_000,
  tokenCheckMs: 300_000,
  replicationReadyMs: 60_000,
  feedWakesMs: 3000,
  resubscribeMs: 5000,
  closeMs: 2000,
};

/** One for each instance. */
export interface Context {
  config: RealtimeConfig;
  timings: Timings;
  hub: Hub;
  /** Logged in as the owner of realtime.messages. */
  database: Database;
  /** Undefined: there are no database changes, and no messages from SQL. */
  feed: Feed | undefined;
  readToken: TokenReader;
  /** Averages of the whole node. */
  rates: TotalRates;
  /** Limits per client and in total. */
  limits: Limits;
  changeFrames: ChangeFrames;
  metrics: RealtimeMetrics;
  log: Logger;
  /** A name that nobody else has, on no node. */
  newId(): string;
}
