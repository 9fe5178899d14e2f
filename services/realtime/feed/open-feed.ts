/**
 * Opens the feed of a database. Changes pass through these stages, each with one input and one output:
 *
 *     replication stream   bytes of the log             replication/
 *     → decode             changes and positions        decode.ts
 *     → backlog            batches, in commit order     backlog.ts
 *     → match              changes with subscriptions   subscriptions/match.ts
 *     → convert            changes with JSON values     payload/convert.ts
 *     → queues             changes by role and claims   identity-queues/
 *     → deliver            frames of channels           identity-queues/delivery.ts
 *
 * dispatch.ts calls match, convert and the identity queues for each batch. life-cycle.ts has the life cycle.
 */
import type { Logger } from '@greenroom/log';
import type { PoolList } from '@greenroom/postgres';
import { type Backlog, createBacklog } from './backlog.ts';
import { FeedConnection } from './connection.ts';
import { type FeedDatabase, openFeedDatabase } from './database.ts';
import { createDecoder } from './decode.ts';
import { createDispatcher } from './dispatch.ts';
import type { Feed, FeedStatus, Identity, MessageRow } from './feed.ts';
import { IdentityQueue } from './identity-queues/identity-queue.ts';
import { createIdentityQueues, type IdentityQueues } from './identity-queues/identity-queues.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createPayloadCache } from './payload/payload-cache.ts';
import { createSemaphore } from './semaphore.ts';
import { createSubscribe } from './subscribe.ts';
import { createMatcher, type Matcher } from './subscriptions/match.ts';
import { createRegistry, type SubscriptionRegistry } from './subscriptions/subscription.ts';
import { createRightsLoader, type LoadRights } from './visibility/rights.ts';
import { createSharedChecks } from './visibility/shared-checks.ts';
import { createVisibilityCheck } from './visibility/visibility-check.ts';

const CONNECTIONS = 6;
/** Number of slow queues that may run checks at the same time. */
const MAX_SLOW_QUEUES = 2;
const STATEMENT_TIMEOUT_MS = 2000;
const RETRY_MS = 10_000;
const QUEUE_TIMEOUT_MS = 3000;
/** PostgreSQL ends a connection that has sent nothing for a minute (`wal_sender_timeout`). */
const STATUS_EVERY_MS = 10_000;

/** Options of {@link openFeed}. */
export interface FeedOptions {
  /** URL with a role that has the attribute REPLICATION. Only the replication connection uses it. */
  replicationUrl: string;
  /** URL with the role that can assume the role of every request (authenticator). All queries use it. */
  url: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Receives the usage of the connections of queries. Default: none. */
  pools?: PoolList | undefined;
  /** Timeout of a statement with policies or filters, in milliseconds. */
  statementTimeoutMs?: number;
  /** How long a statement that timed out is retried, in milliseconds. */
  retryMs?: number;
  /** Maximum number of connections in addition to the replication connection. */
  maxConnections?: number;
  /** Maximum bytes of undelivered changes. Above this limit the server has to wait. */
  maxBacklogBytes?: number;
  /**
   * Interval of status updates to the server, in milliseconds. A connection counts as lost if the server does not
   * answer three of them.
   */
  statusEveryMs?: number;
  /** While the server has to wait, a queue with an older batch drops its changes. In milliseconds. */
  queueTimeoutMs?: number;
  /**
   * The feed is suspended after this time without a user, in milliseconds; never if undefined. PostgreSQL decodes
   * the log for each stream, which takes its writers up to a quarter of their processor time.
   */
  suspendAfterMs?: number;
}

interface FeedListeners {
  messages: Listeners<MessageRow>;
  statuses: Listeners<FeedStatus>;
  drops: Listeners<{ identity: Identity; changes: number }>;
}

/** Creates a feed that starts to connect. It does not throw: errors of the database are logged and retried. */
export function openFeed(options: FeedOptions): Feed {
  const { log } = options;
  const database = openFeedDatabase({
    url: options.url,
    maxConnections: options.maxConnections ?? CONNECTIONS,
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    onIdleError: ({ message }) => log.warn({ pool: 'realtime feed', reason: message }, 'connection lost'),
    pools: options.pools,
  });
  const registry = createRegistry();
  const loadRights = createRightsLoader(database);
  const matcher = createMatcher({
    database,
    registry,
    onSlowCondition: ({ message }) => log.warn({ reason: message }, 'a slow filter is suspended for a while'),
  });
  const listeners: FeedListeners = {
    messages: createListeners(log),
    statuses: createListeners(log),
    drops: createListeners(log),
  };
  const queues = openIdentityQueues(options, { database, loadRights, matcher, listeners });
  const connection = connectStages(options, { database, registry, matcher, queues, listeners });
  return {
    subscribe: createSubscribe({ database, loadRights, registry, queues, connection, log }),
    onMessage: (listener) => listeners.messages.add(listener),
    onStatus: (listener) => listeners.statuses.add(listener),
    onDropped: (listener) => listeners.drops.add(({ identity, changes }) => listener(identity, changes)),
    acquire: () => connection.acquire(),
    waitUntilResumed: () => connection.waitUntilResumed(),
    waitUntilStreaming: (signal) => connection.waitUntilStreaming(signal),
    async close() {
      await Promise.all([connection.close(), database.close()]);
    },
  };
}

interface Stages {
  database: FeedDatabase;
  registry: SubscriptionRegistry;
  loadRights: LoadRights;
  matcher: Matcher;
  queues: IdentityQueues;
  listeners: FeedListeners;
}

function openIdentityQueues(
  { log, retryMs = RETRY_MS }: FeedOptions,
  {
    database,
    loadRights,
    matcher,
    listeners,
  }: Pick<Stages, 'database' | 'loadRights' | 'matcher' | 'listeners'>,
): IdentityQueues {
  const { columnsOf } = matcher;
  const payloads = createPayloadCache();
  const findVisibleRows = createSharedChecks(database);
  const limitSlow = createSemaphore(MAX_SLOW_QUEUES);
  const onDropped = (identity: Identity, changes: number, { message }: Error) => {
    log.warn({ role: identity.role, changes, reason: message }, 'database changes were not delivered');
    listeners.drops.notify({ identity, changes });
  };
  return createIdentityQueues((identity) => {
    const checkVisibility = createVisibilityCheck({ identity, findVisibleRows, loadRights, columnsOf });
    return new IdentityQueue({
      identity,
      checkVisibility,
      columnsOf,
      limitSlow,
      payloads,
      retryMs,
      onDropped,
    });
  });
}

/** Connects the stream to the decoder, the decoder to the backlog, and the backlog to the dispatcher. */
function connectStages(
  options: FeedOptions,
  { database, registry, matcher, queues, listeners }: Omit<Stages, 'loadRights'>,
): FeedConnection {
  const { log, queueTimeoutMs = QUEUE_TIMEOUT_MS } = options;
  const backlog: Backlog = createBacklog({
    dispatch: createDispatcher({
      database,
      matcher,
      queues,
      onMessage: listeners.messages.notify,
      isClosed: () => connection.isClosed,
      log,
    }),
    pause: () => connection.pause(),
    resume: () => connection.resume(),
    onFull: () => dropLateQueues(queues, queueTimeoutMs),
    acknowledge: (lsn) => connection.acknowledge(lsn),
    ...(options.maxBacklogBytes !== undefined && { maxBytes: options.maxBacklogBytes }),
  });
  const decoder = createDecoder({
    hasSubscribers: registry.hasSubscribers,
    onChange: backlog.add,
    onCommit: backlog.reach,
  });
  const connection = new FeedConnection({
    replicationUrl: options.replicationUrl,
    database,
    log,
    statusEveryMs: options.statusEveryMs ?? STATUS_EVERY_MS,
    suspendAfterMs: options.suspendAfterMs,
    onOpening: decoder.reset,
    onData: decoder.decode,
    onIdle: backlog.reach,
    onPositionsInvalid: backlog.forgetPositions,
    onStatus: listeners.statuses.notify,
    onClosed: backlog.close,
  });
  return connection;
}

/** Drops the changes of queues that are too late: slow policies of one role must not delay the others. */
function dropLateQueues(queues: IdentityQueues, timeoutMs: number): void {
  const latest = performance.now() - timeoutMs;
  for (const queue of queues.all()) {
    if ((queue.waitingSince ?? latest) < latest) queue.dropWaiting(new Error('too many changes are waiting'));
  }
}
