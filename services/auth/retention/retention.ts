/**
 * Removes old rows of the schema `auth` in batches: shortly after the start, and then hourly. An advisory lock lets one
 * node at a time run a batch.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@greenroom/postgres';
import {
  type BatchRow,
  type Cursor,
  REMOVALS,
  type Removal,
  type RetentionConfig,
  removeBatch,
} from './removals.ts';

/** Key of the advisory lock. */
export const RETENTION_LOCK = 7_403_275_841;

const BATCH_ROWS = 1000;
const PAUSE_MS = 50;
/** The first run waits, so that it does not slow down the start of the instance. */
const FIRST_RUN_MS = 60_000;
const INTERVAL_MS = 3_600_000;

/** The log of the removal, in pino's argument order. */
interface RetentionLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Options of {@link startRetention}. Times are in milliseconds. */
export interface RetentionOptions {
  config: RetentionConfig;
  database: Database;
  log: RetentionLog;
  now?: () => Date;
  /** Rows examined by one statement. */
  batchRows?: number;
  /** Pause between two batches, for other transactions. */
  pauseMs?: number;
  firstRunMs?: number;
  intervalMs?: number;
}

/** Removed rows by the names of {@link REMOVALS}. Kinds without removed rows are missing. */
type RemovedRows = Record<string, number>;

/** A periodic removal. */
export interface Retention {
  /** Runs at once; joins a run in progress. Errors are logged, and the next run tries again. */
  run(): Promise<RemovedRows>;
  /** Stops the timer and waits for the current batch. No batch begins afterwards. */
  close(): Promise<void>;
}

/** Starts the periodic removal. */
export function startRetention(options: RetentionOptions): Retention {
  const { firstRunMs = FIRST_RUN_MS, intervalMs = INTERVAL_MS } = options;
  const closed = new AbortController();
  let running: Promise<RemovedRows> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function run(): Promise<RemovedRows> {
    running ??= removeOldRows(options, closed.signal).finally(() => {
      running = undefined;
    });
    return running;
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      void run().finally(() => {
        if (!closed.signal.aborted) schedule(intervalMs);
      });
    }, ms);
    timer.unref();
  }

  schedule(firstRunMs);
  return {
    run,
    async close() {
      closed.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Never rejects: an error ends the removal of its kind until the next run. Ends early if another node holds the lock,
 * because that node removes the same rows.
 */
async function removeOldRows(options: RetentionOptions, signal: AbortSignal): Promise<RemovedRows> {
  const { config, log, now = () => new Date() } = options;
  const removed: RemovedRows = {};
  const startedAt = now().getTime();
  for (const removal of REMOVALS) {
    const ageMs = removal.ageMs(config);
    if (ageMs === undefined) continue;
    const onRemoved = (rows: number) => {
      if (rows > 0) removed[removal.name] = (removed[removal.name] ?? 0) + rows;
    };
    try {
      const outcome = await removeKind(
        removal,
        new Date(startedAt - ageMs),
        { ...options, onRemoved },
        signal,
      );
      if (outcome === 'locked') break;
    } catch (error) {
      log.error({ err: error, rows: removal.name }, 'removing old rows failed; the next run retries');
    }
  }
  if (Object.keys(removed).length > 0) log.info({ removed }, 'removed old rows');
  return removed;
}

/** Removes all batches of one kind; `locked` if another node holds the lock. Ends after the current batch at close. */
async function removeKind(
  removal: Removal,
  before: Date,
  options: RetentionOptions & { onRemoved(rows: number): void },
  signal: AbortSignal,
): Promise<'done' | 'locked'> {
  const { database, onRemoved, batchRows: limit = BATCH_ROWS, pauseMs = PAUSE_MS } = options;
  let after: Cursor | undefined;
  while (!signal.aborted) {
    const batch = await runBatch(database, removal, { before, after, limit });
    if (batch === undefined) return 'locked';
    onRemoved(Number(batch.removed));
    if (Number(batch.examined) < limit || batch.last_time === null || batch.last_id === null) break;
    after = { time: batch.last_time, id: batch.last_id };
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return 'done';
}

interface BatchRange {
  before: Date;
  after: Cursor | undefined;
  limit: number;
}

/** Undefined if another node has the lock. */
function runBatch(
  database: Database,
  removal: Removal,
  { before, after, limit }: BatchRange,
): Promise<BatchRow | undefined> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ is_held: boolean }>({
      text: 'select pg_catalog.pg_try_advisory_xact_lock($1::bigint) as is_held',
      values: [RETENTION_LOCK],
    });
    const [rows] = await tx.commit(lock?.is_held ? [removeBatch(removal, before, after, limit)] : []);
    return rows?.[0] as BatchRow | undefined;
  });
}
