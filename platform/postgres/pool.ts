/**
 * A pool of connections of one login role: acquires and releases connections, and closes all of them. It does not
 * depend on the statements that run on a connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { maintainConnections } from './maintain-connections.ts';
import { type PoolList, poolNameOf } from './pool-list.ts';

/** Default of the time that a caller waits for a connection. */
export const CONNECTION_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** pg's message if no connection has become free; the error has no code. */
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** Time after `close` until queries that still run are terminated. */
const CLOSE_TIMEOUT_MS = 5000;

/** All connections have been busy for too long. Nothing has been sent to the server. */
export class PoolTimeoutError extends Error {
  override readonly name = 'PoolTimeoutError';
}

const connectErrors = new WeakSet<object>();
/** Connections that have reported an error. */
const failed = new WeakSet<object>();

/**
 * Whether an error is the reason why no connection could be opened, e.g. because the server is starting up: no
 * statement was run.
 */
export function isConnectError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && connectErrors.has(error);
}

/** Options of a pool. `url` contains role, password and database. */
export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  max: number;
  /**
   * Number of connections that stay open while idle, opened in the background. A new connection costs a SCRAM
   * handshake, which needs a thread of libuv's pool, so a loaded process responds faster on connections that are
   * already open. Default: 0.
   */
  min?: number;
  applicationName: string;
  /** Maximum time that a caller waits for a free connection before a {@link PoolTimeoutError}, in milliseconds. */
  connectionTimeoutMs?: number;
  /**
   * Time for which an unused connection stays open, in milliseconds; 0 for no limit, which saves a timer for each use.
   */
  idleTimeoutMs?: number;
  /** Age after which an unused connection is replaced by a new one, in milliseconds; 0 (the default) for no limit. */
  maxLifetimeMs?: number;
  /**
   * Called with errors of idle connections, e.g. after a restart of PostgreSQL; the pool replaces the connections. Never
   * called after `close`.
   */
  onIdleError?: (error: Error) => void;
  /** Receives the usage of the pool while it is open. Default: none. */
  pools?: PoolList | undefined;
}

/** A pool whose connections are of type `Client`. */
export interface Pool<Client> {
  /**
   * Runs `work` with exclusive use of a connection until it has settled. Rejects with {@link PoolTimeoutError} if none
   * becomes free in time.
   */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Returns the number of callers that wait for a connection. */
  waiting(): number;
  /**
   * Waits a limited time for running queries, closes all connections, and waits until the server has ended them: a server
   * that is stopped afterwards finds none.
   */
  close(): Promise<void>;
}

/**
 * Opens a pool. Connections are opened on demand.
 * @param ClientClass pg's own class or one that extends it
 * @param isIdle whether a returned connection has no work left; otherwise it is closed
 * @param waiting number of callers that wait for a permit before they wait for a connection
 */
export function openPool<Client extends pg.Client>(
  options: PoolOptions,
  ClientClass: new (config: pg.ClientConfig) => Client,
  isIdle: (client: Client) => boolean = hasNoTransaction,
  waiting: () => number = () => 0,
): Pool<Client> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    min: Math.min(options.min ?? 0, options.max),
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: (options.maxLifetimeMs ?? 0) / 1000,
    keepAlive: true,
    Client: ClientClass as never,
  });
  let isClosed = false;
  pool.on('error', (error) => {
    if (!isClosed) options.onIdleError?.(error);
  });
  const open = new Set<pg.PoolClient>();
  // Without a listener, an error that reaches a connection between two queries would end the process. The pool removes
  // its own listener during each use. This one stays, since adding one for each use costs more.
  pool.on('connect', (client) => {
    client.on('error', () => failed.add(client));
    open.add(client);
    client.once('end', () => open.delete(client));
  });
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));
  const stopKeepConnected = maintainConnections(pool);
  const name = poolNameOf(options.applicationName);
  const removeFromList = options.pools?.add(() => ({
    name,
    max: options.max,
    open: pool.totalCount,
    used: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount + waiting(),
  }));
  return {
    use: (work) =>
      withClient(pool as unknown as { connect(): Promise<Client & pg.PoolClient> }, work, isIdle),
    waiting: () => pool.waitingCount,
    close() {
      isClosed = true;
      removeFromList?.();
      stopKeepConnected();
      return closePool(pool, { busy, open });
    },
  };
}

/** The connections of a pool. */
interface Connections {
  /** Those that are in use. */
  busy: ReadonlySet<pg.PoolClient>;
  /** Those that the server has not ended yet. */
  open: ReadonlySet<pg.PoolClient>;
}

/** A query may hang, and so may the code that holds a connection, or the server: none may delay the end of the process. */
async function closePool(pool: pg.Pool, { busy, open }: Connections): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(CLOSE_TIMEOUT_MS, 'late' as const, { signal: timer.signal }).catch(() => undefined);
  const ended = pool.end().then(() => waitUntilEnded(open));
  const outcome = await Promise.race([ended, timeout]);
  timer.abort();
  if (outcome !== 'late') return;
  // The pool's clients are full pg clients, whose `end` terminates a running query.
  for (const client of busy) void (client as unknown as pg.Client).end();
}

/** pg's pool only sends the message that ends a connection. */
async function waitUntilEnded(open: ReadonlySet<pg.PoolClient>): Promise<void> {
  await Promise.all(
    Array.from(open, (client) => new Promise<void>((resolve) => client.once('end', resolve))),
  );
}

/** Whether a connection has no open transaction, which must not be passed on to the next borrower. */
export function hasNoTransaction(client: pg.Client): boolean {
  return client.getTransactionStatus() === 'I';
}

async function withClient<Client extends pg.Client, T>(
  pool: { connect(): Promise<Client & pg.PoolClient> },
  use: (client: Client) => Promise<T>,
  isIdle: (client: Client) => boolean,
): Promise<T> {
  const client = await pool.connect().catch((error: Error) => {
    if (error.message === BUSY_MESSAGE) throw new PoolTimeoutError(error.message, { cause: error });
    connectErrors.add(error);
    throw error;
  });
  let isUnusable = false;
  try {
    return await use(client);
  } catch (error) {
    isUnusable ||= breaksConnection(error);
    throw error;
  } finally {
    isUnusable ||= failed.has(client) || !isIdle(client);
    client.release(isUnusable);
  }
}

/** FATAL: the server is about to close this connection (shutdown, pg_terminate_backend). */
function breaksConnection(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}
