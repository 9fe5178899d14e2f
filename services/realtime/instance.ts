/** Realtime on one node: creates the shared context and connects it to the database feed and to the other nodes. */
import { randomBytes } from 'node:crypto';
import type { AccessTokens } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { Database } from '@greenroom/postgres';
import type { Registry } from 'prom-client';
import { createTokenReader } from './authorize/token.ts';
import { deliverRow } from './channel/sql-messages.ts';
import { type Context, DEFAULT_TIMINGS, type Timings } from './context.ts';
import type { Feed } from './feed/feed.ts';
import { ChangeFrames } from './frames/change-frames.ts';
import { createLocalBus } from './hub/bus.ts';
import { Hub } from './hub/hub.ts';
import { createLimits } from './limits/limits.ts';
import { RollingAverage } from './limits/rolling-average.ts';
import { createRealtimeMetrics } from './metrics.ts';
import type { NodeBus } from './nodes/bus.ts';
import { createNodeMetrics } from './nodes/metrics.ts';
import type { RealtimeConfig } from './settings.ts';

const MAINTENANCE_MS = 3_600_000;

/** Options of {@link openRealtime}. */
interface RealtimeOptions {
  config: RealtimeConfig;
  keys: Pick<AccessTokens, 'verify' | 'hasKey'>;
  /** Logged in as supabase_realtime_admin. */
  database: Database;
  /** Undefined if the server does not replicate: then there are no database changes and no messages from SQL. */
  feed?: Feed | undefined;
  registry: Registry;
  log: Logger;
  /** Connects this node to others; a single node needs none. The caller closes it. */
  nodes?: NodeBus | undefined;
  timings?: Partial<Timings>;
}

/** A running realtime. Closing it does not close the database and the feed, which the caller opened. */
export interface RealtimeInstance {
  context: Context;
  /** Rejects if the database does not respond, or if its stream of changes is lost. */
  requireReady(): Promise<void>;
  close(): void;
}

/** Starts realtime on one node, with its metrics and the hourly maintenance of message partitions. */
export function openRealtime(options: RealtimeOptions): RealtimeInstance {
  const { config, database, feed, log, nodes } = options;
  const metrics = createRealtimeMetrics(options.registry);
  const rates = {
    joins: new RollingAverage(),
    events: new RollingAverage(),
    dbEvents: new RollingAverage(),
    presence: new RollingAverage(),
  };
  if (nodes !== undefined) createNodeMetrics(options.registry, nodes);
  const hub = new Hub(nodes ?? createLocalBus(), (count) => {
    rates.events.add(count);
    metrics.delivered.inc(count);
  });
  const context: Context = {
    config,
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    hub,
    database,
    feed,
    readToken: createTokenReader(options.keys),
    rates,
    limits: createLimits(config, rates),
    changeFrames: new ChangeFrames(),
    metrics,
    log,
    newId: createIdGenerator(),
  };
  // A stream that has never begun does not count as lost: an external server may not permit replication at all.
  let isLost = false;
  const stopMessages = feed?.onMessage((row) => deliverRow(context, row));
  const stopStatus = feed?.onStatus((status) => {
    isLost = status === 'lost';
  });
  const stopDropped = feed?.onDropped((_identity, changes) =>
    metrics.dropped.inc({ kind: 'slow policy' }, changes),
  );
  const stopMaintenance = maintainMessages(database, log);
  return {
    context,
    async requireReady() {
      if (isLost) throw new Error('database changes are not streamed');
      await database.query({ text: 'select from realtime.messages limit 0' });
    },
    close() {
      stopMaintenance();
      stopMessages?.();
      stopStatus?.();
      stopDropped?.();
      hub.close();
    },
  };
}

/** Creates the partitions of realtime.messages for the coming days and drops old ones, now and every hour. */
function maintainMessages(database: Database, log: Logger): () => void {
  const maintain = () => {
    database.query({ text: 'select realtime.maintain_messages()' }).catch((error: unknown) => {
      log.warn({ err: error }, 'maintaining the partitions of realtime.messages failed');
    });
  };
  maintain();
  const timer = setInterval(maintain, MAINTENANCE_MS).unref();
  return () => clearInterval(timer);
}

/** Creates a generator of ids that are unique across nodes: a random prefix of this node and a counter. */
function createIdGenerator(): () => string {
  const node = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${node}${count.toString(36)}`;
  };
}
