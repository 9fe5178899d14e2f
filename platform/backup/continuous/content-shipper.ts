/**
 * Ships the content of objects into an archive, soon after its rows are committed. The process that writes objects keeps a
 * list of their content and holds its removal until it is stored; this process takes the list in rounds. Content that the
 * list does not have, because it was written before the start or by another process, is found by the times of rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../archive/archive.ts';
import { lineageOf } from '../archive/layout.ts';
import type { ContentRow, ContentSource } from '../content/backup-content.ts';
import type { LogMark } from '../wal/covered-time.ts';
import type { LogLineage } from '../wal/pieces.ts';
import { RecentVersions } from './recent-versions.ts';
import { RoundWriter, type UnreadableContent } from './round-writer.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** Rows and bytes of one round; larger content has a round to itself. */
const MAX_ROWS = 1000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Rows are searched for again after this time, for content that other processes write. */
const SCAN_EVERY_MS = 3_600_000;
/** Longest time between the beginning of a transaction, which is the time of its row, and its commit. */
const COMMIT_MS = 5 * 60_000;

/** Content that waits to be stored. */
export interface PendingEntry {
  bucket: string;
  key: string;
  version: string;
  /** Whether its row was deleted, so that its removal waits. */
  isDeleted: boolean;
  /** Time since it was added. */
  waitingMs: number;
}

/** The list of the process that writes objects. */
export interface PendingList {
  /** `isComplete`: all content that is not in the list is stored. Otherwise rows have to be searched, see `caughtUp`. */
  take(): Promise<{ entries: readonly PendingEntry[]; isComplete: boolean; epoch: number }>;
  /** Removes content from the list: it is stored, or is not needed. */
  settled(versions: readonly string[]): void;
  /** All content that existed at the `take` of this epoch is stored. */
  caughtUp(epoch: number): void;
}

/** The rows of storage.objects, and their content. */
export interface ContentRows extends Pick<ContentSource, 'open'> {
  /** Returns the rows that have these versions. */
  withVersions(versions: readonly string[]): Promise<ContentRow[]>;
  /** Yields rows that were written since a time. */
  since(time: Date): AsyncIterable<ContentRow>;
}

/** Changes that the owner of a shipper reacts to. */
export type ContentReport =
  | { type: 'reachable' }
  | { type: 'away'; reason: Error }
  | ({ type: 'unreadable' } & UnreadableContent);

/** Options of {@link ContentShipper}. */
interface ContentShipperOptions {
  archive: Archive;
  lineage: LogLineage;
  pending: PendingList;
  rows: ContentRows;
  /** All content of rows before this time is stored; undefined: a backup without this content follows. */
  storedUntil: Date | undefined;
  /** Maximum time until content is stored, in milliseconds. */
  lagMs: number;
  /** Returns the flushed end of the log, see `readLogMark`. */
  readMark(): Promise<LogMark>;
  /** Called for each change. It must not throw. */
  onReport(report: ContentReport): void;
  /** Interval in milliseconds, for tests. */
  retryMs?: number;
}

/** Starts on construction, and retries for ever. Errors never reach the caller; it receives reports. */
export class ContentShipper {
  readonly #options: ContentShipperOptions;
  readonly #writer: RoundWriter;
  readonly #closed = new AbortController();
  readonly #recent = new RecentVersions(SCAN_EVERY_MS + 2 * COMMIT_MS);
  readonly #rounds: Promise<void>;
  /** The round or other work that uses the chunks of the archive. */
  #working: Promise<unknown> = Promise.resolve();
  #stored: LogMark | undefined;
  #isAway = false;
  #scannedAt: Date | undefined;

  constructor(options: ContentShipperOptions) {
    this.#options = options;
    this.#writer = new RoundWriter(options.archive, lineageOf(options.lineage), options.rows.open);
    this.#scannedAt = options.storedUntil;
    this.#rounds = this.#runRounds();
  }

  /** All content of rows before this mark is stored; undefined before the first round. */
  get stored(): LogMark | undefined {
    return this.#stored;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Runs `work` between two rounds, e.g. work that removes chunks. */
  betweenRounds<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusively(() => work().finally(() => this.#writer.forgetChunks()));
  }

  /** Stores waiting content, unless the archive is away. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#rounds;
    if (!this.#isAway) await this.#attemptRound();
  }

  async #runRounds(): Promise<void> {
    const { lagMs, retryMs = FIRST_RETRY_MS } = this.#options;
    const { signal } = this.#closed;
    let nextRetryMs = retryMs;
    while (!signal.aborted) {
      const isStored = await this.#attemptRound();
      const pauseMs = isStored ? lagMs : nextRetryMs;
      nextRetryMs = isStored ? retryMs : Math.min(2 * nextRetryMs, MAX_RETRY_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns whether the round is stored. */
  async #attemptRound(): Promise<boolean> {
    try {
      await this.#exclusively(() => this.#round());
    } catch (error) {
      if (!this.#isAway) this.#options.onReport({ type: 'away', reason: error as Error });
      this.#isAway = true;
      return false;
    }
    if (this.#isAway) this.#options.onReport({ type: 'reachable' });
    this.#isAway = false;
    return true;
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#working.then(work);
    this.#working = result.catch(() => undefined);
    return result;
  }

  async #round(): Promise<void> {
    const { pending, readMark } = this.#options;
    // Rows before the mark are in the list that is read after it.
    const mark = await readMark();
    const { entries, isComplete, epoch } = await pending.take();
    if (!isComplete || this.#isScanDue(mark.time)) await this.#scan(mark.time);
    await this.#shipEntries(entries);
    if (!isComplete) pending.caughtUp(epoch);
    this.#stored = mark;
  }

  #isScanDue(now: Date): boolean {
    return now.getTime() - (this.#scannedAt?.getTime() ?? now.getTime()) >= SCAN_EVERY_MS;
  }

  /** Ships the content of rows that were written since the last scan. */
  async #scan(now: Date): Promise<void> {
    const { rows } = this.#options;
    if (this.#scannedAt !== undefined) {
      const from = new Date(this.#scannedAt.getTime() - COMMIT_MS);
      for await (const batch of batchesOf(rows.since(from))) await this.#ship(batch);
    }
    this.#scannedAt = now;
  }

  /**
   * The list has content whose row is not committed yet, or never will be. It is stored as well, because its row may have been
   * committed and deleted since the list was taken.
   */
  async #shipEntries(entries: readonly PendingEntry[]): Promise<void> {
    const { pending, rows } = this.#options;
    for (let at = 0; at < entries.length; at += MAX_ROWS) {
      const part = entries.slice(at, at + MAX_ROWS);
      const found = await rows.withVersions(part.map(({ version }) => version));
      const known = new Map(found.map((row) => [row.version, row]));
      const needed = part.map((entry) => rowOf(entry, known));
      const unreadable = new Set<string>();
      for await (const batch of batchesOf(needed)) {
        for (const { row } of await this.#ship(batch)) unreadable.add(row.version);
      }
      const isSettled = ({ version, waitingMs, isDeleted }: PendingEntry) =>
        waitingMs > COMMIT_MS || ((known.has(version) || isDeleted) && !unreadable.has(version));
      pending.settled(part.filter(isSettled).map(({ version }) => version));
    }
  }

  async #ship(rows: readonly ContentRow[]): Promise<UnreadableContent[]> {
    const unstored = rows.filter(({ version }) => !this.#recent.has(version));
    if (unstored.length === 0) return [];
    const unreadable = await this.#writer.write(unstored);
    const failed = new Set(unreadable.map(({ row }) => row.version));
    for (const { version } of unstored) if (!failed.has(version)) this.#recent.add(version);
    for (const each of unreadable) this.#options.onReport({ type: 'unreadable', ...each });
    return unreadable;
  }
}

/** Returns the row of an entry. A row that does not exist is replaced by one without metadata. */
function rowOf(entry: PendingEntry, known: ReadonlyMap<string, ContentRow>): ContentRow {
  const { bucket, key, version } = entry;
  return known.get(version) ?? { bucket, key, version, metadata: null };
}

/** Divides rows into those of one round each. */
async function* batchesOf(
  rows: Iterable<ContentRow> | AsyncIterable<ContentRow>,
): AsyncGenerator<ContentRow[]> {
  let batch: ContentRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += sizeOf(row);
    if (batch.length < MAX_ROWS && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Rows that were written by SQL may have no size. */
function sizeOf({ metadata }: ContentRow): number {
  const { size } = (metadata ?? {}) as { size?: unknown };
  return typeof size === 'number' ? size : 0;
}
