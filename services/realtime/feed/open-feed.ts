/**
 * Opens the feed of a database: log → matches → lanes. In charge of the order of things; what a change means, and who may
 * see it, is decided further in.
 */
import type { Logger } from '@greenroom/http';
import { createBacklog } from './backlog.ts';
import { openFeedDatabase } from './database.ts';
import {
  type CheckRunner,
  type Feed,
  FeedRefusal,
  type FeedStatus,
  type Identity,
  type MessageRow,
} from './feed.ts';

import { createLane, createPayloadCache, type Lane, type LaneItem } from './lane.ts';
import { createLanes } from './lanes.ts';
import { isMessageTable, readMessageRow } from './message-row.ts';
import { convertChanges } from './payload/convert.ts';
import { MAX_CHANGE_BYTES } from './payload/payload.ts';
import { createPgOutputReader, type RowChange } from './replication/pgoutput.ts';
import { ReplicationStream } from './replication/stream.ts';
import { createSemaphore } from './semaphore.ts';
import { PUBLICATION } from './subscriptions/catalog.ts';
import { checkEntries } from './subscriptions/check.ts';
import { createMatcher } from './subscriptions/match.ts';
import { createRegistry, type Subscription } from './subscriptions/subscription.ts';
import { untilCommitted } from './visibility/committed.ts';
import { createRightsLoader } from './visibility/rights.ts';

const MESSAGES_PUBLICATION = 'supabase_realtime_messages_publication';
const CONNECTIONS = 6;
/** How many lanes that were slow may be at work at once. */
const SLOW_LANES = 2;
const STATEMENT_TIMEOUT_MS = 2000;
const RETRY_MS = 10_000;
const LANE_PATIENCE_MS = 3000;
/** Of changes that are too large to be told whole, values of primary keys are kept: they are never larger. */
const KEPT_VALUE_BYTES = 8192;
/** PostgreSQL ends a connection that has not said anything for a minute (`wal_sender_timeout`). */
const STATUS_EVERY_MS = 10_000;
const SUBSCRIBE_PATIENCE_MS = 10_000;
const CLOSED = 'the feed is closed';
const UNREACHABLE = 'Realtime was unable to connect to the project database';

/** Options of {@link openFeed}. */
export interface FeedOptions {
  /** Of a role with the attribute REPLICATION: the write-ahead log is read with it, and nothing else. */
  replicationUrl: string;
  /** Of the role that can become whoever a request can be (authenticator): all questions are asked with it. */
  url: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** A statement of policies or filters that takes longer is ended, in milliseconds. */
  statementTimeoutMs?: number;
  /** What takes longer is tried again for so long, in milliseconds. */
  retryMs?: number;
  /** Most connections besides that of the replication. */
  maxConnections?: number;
  /** Most that may wait to be told before the server has to wait, in bytes. */
  maxBacklogBytes?: number;
  /**
   * How often the server is told how far we are, in milliseconds. A connection on which it does not answer three times is
   * taken for lost.
   */
  statusEveryMs?: number;
  /** While the server has to wait, somebody who has waited for longer loses what was not looked at yet, in milliseconds. */
  lanePatienceMs?: number;
  /**
   * After so long without anybody who holds it, the feed rests, in milliseconds: the log of a database is decoded for each
   * stream, which takes its writers up to a quarter of their processor time. It never does where this is not given.
   */
  restAfterMs?: number;
}

/** Begins to open it; never fails because of the database. */
export function openFeed(options: FeedOptions): Feed {
  const { log, statusEveryMs = STATUS_EVERY_MS } = options;
  const database = openFeedDatabase({
    url: options.url,
    maxConnections: options.maxConnections ?? CONNECTIONS,
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    onIdleError: ({ message }) => log.warn({ pool: 'realtime feed', reason: message }, 'connection lost'),
  });
  const registry = createRegistry();
  const loadRights = createRightsLoader(database);
  const matcher = createMatcher({
    database,
    registry,
    onSlowCondition: ({ message }) => log.warn({ reason: message }, 'a filter was given up for a while'),
  });
  const payloads = createPayloadCache();
  const slowly = createSemaphore(SLOW_LANES);
  const lanes = createLanes((identity) =>
    createLane({
      identity,
      database,
      loadRights,
      columnsOf: matcher.columnsOf,
      slowly,
      payloads,
      retryMs: options.retryMs ?? RETRY_MS,
      onDropped: (whose, changes, reason) => {
        log.warn({ role: whose.role, changes, reason: reason.message }, 'database changes were not told');
        for (const listener of droppedListeners) listener(whose, changes);
      },
    }),
  );
  const messageListeners = new Set<(row: MessageRow) => void>();
  const statusListeners = new Set<(status: FeedStatus) => void>();
  const droppedListeners = new Set<(identity: Identity, changes: number) => void>();
  const backlog = createBacklog({
    take,
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    onFull: dropLateLanes,
    acknowledge: (lsn) => stream.acknowledge(lsn),
    ...(options.maxBacklogBytes !== undefined && { maxBytes: options.maxBacklogBytes }),
  });
  let read = createReader();
  let streaming = Promise.withResolvers<void>();
  let isStreaming = false;
  let isClosed = false;
  let holders = 0;
  let isResting = false;
  let restTimer: NodeJS.Timeout | undefined;
  /** While it wakes up. */
  let waking: PromiseWithResolvers<void> | undefined;
  // Nobody may be waiting for it when it is closed.
  streaming.promise.catch(() => undefined);

  const stream = new ReplicationStream({
    url: options.replicationUrl,
    publications: [PUBLICATION, MESSAGES_PUBLICATION],
    statusEveryMs,
    onOpening: () => {
      read = createReader();
    },
    onData: readData,
    onIdle: (end) => backlog.reach(end),
    onStreaming: () => {
      log.info({ publications: stream.publications }, 'database changes are streamed');
      isStreaming = true;
      streaming.resolve();
      endWaking();
      tellAll(statusListeners, 'streaming');
    },
    onLost: (error, pauseMs) => {
      log.warn({ reason: error.message, pauseMs }, 'database changes are not streamed');
      backlog.forgetPositions();
      // Whoever has it woken up is to know, too, that it cannot be had.
      if (isStreaming || waking !== undefined) stopStreaming('lost');
      endWaking();
    },
  });

  function createReader() {
    return createPgOutputReader({
      isWanted: (relation) => isMessageTable(relation) || registry.isWatched(relation),
      largeBytes: MAX_CHANGE_BYTES,
      keptValueBytes: KEPT_VALUE_BYTES,
      isReadWhole: isMessageTable,
    });
  }

  function readData(data: Buffer): void {
    const output = read(data);
    if (output.kind === 'commit') backlog.reach(output.end);
    if (output.kind === 'change') backlog.add(output);
  }

  function tellMessage(change: RowChange): void {
    const row = readMessageRow(change);
    if (row) tellAll(messageListeners, row);
  }

  function stopStreaming(status: 'lost' | 'resting'): void {
    isStreaming = false;
    streaming = Promise.withResolvers();
    streaming.promise.catch(() => undefined);
    tellAll(statusListeners, status);
  }

  function hold(): () => void {
    holders += 1;
    clearTimeout(restTimer);
    wake();
    let isHeld = true;
    return () => {
      if (isHeld) holders -= 1;
      isHeld = false;
      restLater();
    };
  }

  function restLater(): void {
    clearTimeout(restTimer);
    const { restAfterMs } = options;
    if (restAfterMs !== undefined && holders === 0 && !isClosed)
      restTimer = setTimeout(rest, restAfterMs).unref();
  }

  /** What was lost before is no longer missed by anybody. */
  function rest(): void {
    isResting = true;
    endWaking();
    stream.rest();
    backlog.forgetPositions();
    log.info({}, 'database changes are not streamed while nobody listens');
    stopStreaming('resting');
  }

  function wake(): void {
    if (!isResting || isClosed) return;
    isResting = false;
    waking = Promise.withResolvers();
    stream.wake();
  }

  function endWaking(): void {
    waking?.resolve();
    waking = undefined;
  }

  /** What goes wrong in one of them is not the fault of the stream. */
  function tellAll<T>(listeners: Iterable<(value: T) => void>, value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        log.warn({ err: error }, 'a listener of the database feed failed');
      }
    }
  }

  async function take(batch: readonly RowChange[]): Promise<{ told: Promise<void> }> {
    const { messages = [], changes = [] } = Object.groupBy(batch, ({ relation }) =>
      isMessageTable(relation) ? 'messages' : 'changes',
    );
    // Whoever is told of anything may look at once.
    const committed = untilCommitted(database, new Set(batch.map(({ xid }) => xid)));
    // Messages are whole: they are told, too, where the database cannot be asked.
    await committed.catch(() => undefined);
    if (!isClosed) for (const message of messages) tellMessage(message);
    if (changes.length === 0) return { told: Promise.resolve() };
    try {
      await committed;
      const work = await divide(changes);
      const told = [...work].map(([lane, items]) => new Promise<void>((done) => lane.add({ items, done })));
      return { told: Promise.all(told).then(() => undefined) };
    } catch (error) {
      if (!isClosed) log.warn({ changes: changes.length, err: error }, 'database changes were not told');
      return { told: Promise.resolve() };
    }
  }

  async function divide(changes: readonly RowChange[]): Promise<Map<Lane, LaneItem[]>> {
    const matches = await matcher.find(changes);
    const converted = await convertChanges(
      database,
      matches.map(({ change }) => change),
    );
    const work = new Map<Lane, LaneItem[]>();
    for (const [index, { entries }] of matches.entries()) {
      const change = converted[index];
      if (change === undefined) continue;
      for (const [lane, own] of lanes.divide(entries)) {
        const items = work.get(lane) ?? [];
        work.set(lane, items);
        items.push({ converted: change, entries: own });
      }
    }
    return work;
  }

  /** Somebody whose policies are slow must not hold up everybody else. */
  function dropLateLanes(): void {
    const latest = performance.now() - (options.lanePatienceMs ?? LANE_PATIENCE_MS);
    for (const lane of lanes.all()) {
      if ((lane.waitingSince() ?? latest) < latest) lane.dropWaiting(new Error('too many changes wait'));
    }
  }

  /** Whoever waits for it keeps it from resting. */
  async function untilStreaming(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (isClosed) throw new Error(CLOSED);
    const release = hold();
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([streaming.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      release();
    }
  }

  async function untilActive(): Promise<void> {
    await ensurePublicationStreamed();
    try {
      await untilStreaming(AbortSignal.timeout(SUBSCRIBE_PATIENCE_MS));
    } catch (error) {
      throw new FeedRefusal(UNREACHABLE, false, { cause: error });
    }
  }

  /** A publication that was made, or made anew, after the stream was opened is no part of it. */
  async function ensurePublicationStreamed(): Promise<void> {
    if (!isStreaming || stream.publications.includes(PUBLICATION)) return;
    const text = 'select from pg_catalog.pg_publication where pubname = $1';
    const found = await database.query({ text, values: [PUBLICATION] }).catch(() => []);
    if (found.length === 0 || !isStreaming || stream.publications.includes(PUBLICATION)) return;
    stopStreaming('lost');
    stream.restart();
  }

  const watch = setInterval(ensurePublicationStreamed, statusEveryMs);
  restLater();

  return {
    async subscribe(entries, identity, deliver, { owner, runCheck = runAtOnce } = {}) {
      const checked = await runCheck(() => checkEntries(database, loadRights, entries, identity));
      const own: Subscription['entries'] & unknown[] = [];
      const subscription: Subscription = {
        identity,
        owner,
        deliver: (delivery) => tellAll([deliver], delivery),
        entries: own,
        isClosed: false,
      };
      own.push(...checked.map((entry) => ({ ...entry, subscription })));
      const release = hold();
      const close = () => {
        if (subscription.isClosed) return;
        registry.remove(subscription);
        lanes.leave(identity);
        release();
      };
      lanes.enter(identity);
      registry.add(subscription);
      try {
        await untilActive();
      } catch (error) {
        close();
        throw error;
      }
      return { close };
    },
    onMessage: (listener) => listenIn(messageListeners, listener),
    onStatus: (listener) => listenIn(statusListeners, listener),
    onDropped: (listener) => listenIn(droppedListeners, listener),
    hold,
    untilAwake: () => waking?.promise,
    untilStreaming,
    async close() {
      isClosed = true;
      clearTimeout(restTimer);
      endWaking();
      backlog.close();
      streaming.reject(new Error(CLOSED));
      clearInterval(watch);
      await Promise.all([stream.close(), database.close()]);
    },
  };
}

const runAtOnce: CheckRunner = (work) => work();

function listenIn<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
