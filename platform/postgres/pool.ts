/**
 * A pool of connections of one login role: acquiring and releasing connections, and closing all of them. What runs on
 * a connection is somebody else's business.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keepConnected } from './keep-connected.ts';

/** How long somebody waits for a connection, where nothing else is said. */
export const CONNECTION_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** How pg tells that no connection has become free; there is no code. */
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** Queries that still run so long after `close` are cut off. */
const CLOSE_PATIENCE_MS = 5000;

/** All connections have been busy for too long. Nothing has been sent to the server. */
export class PoolTimeoutError extends Error {
  override readonly name = 'PoolTimeoutError';
}

const connectErrors = new WeakSet<object>();

/** Whether an error is why no connection could be made, e.g. of a server that is starting up: nothing has been run. */
export function isConnectError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && connectErrors.has(error);
}

/** Options of a pool. `url` names role, password and database. */
export interface PoolOptions {
  url: string;
  /** Most connections at once. */
  max: number;
  /**
   * Connections that stay open while idle, opened in the background. A new connection costs a SCRAM handshake, which
   * needs a thread of libuv's pool: a loaded process answers sooner over connections that it already has. Default 0.
   */
  min?: number;
  applicationName: string;
  /** How long somebody waits for a free connection before a {@link PoolTimeoutError}, in milliseconds. */
  connectionTimeoutMs?: number;
  /** How long an unused connection is kept, in milliseconds; 0: for ever, which saves a timer for each use. */
  idleTimeoutMs?: number;
  /** After how long a connection gives way to a new one, as soon as nobody uses it, in milliseconds; 0, or none: never. */
  maxLifetimeMs?: number;
  /** Told about errors of idle connections, e.g. after a restart of PostgreSQL; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

/** A pool whose connections are of type `Client`. */
export interface Pool<Client> {
  /**
   * Runs `work` with a connection that is nobody else's until it has settled. Rejects with {@link PoolTimeoutError} where
   * none becomes free in time.
   */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** How many wait for a connection. */
  waiting(): number;
  /** Waits for the running queries, but not for ever, and closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens a pool. Connections are made when they are first needed.
 * @param ClientClass pg's own class or one that extends it
 * @param isIdle whether a connection that is given back has nothing left to do; closed otherwise
 */
export function openPool<Client extends pg.Client>(
  options: PoolOptions,
  ClientClass: new (config: pg.ClientConfig) => Client,
  isIdle: (client: Client) => boolean = hasNoTransaction,
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
  pool.on('error', (error) => options.onIdleError?.(error));
  // The pool stops listening before whoever gets a new connection begins to. An error in between, in the very packet
  // that says that the connection is ready, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));
  const stopKeeping = keepConnected(pool);
  return {
    use: (work) =>
      withClient(pool as unknown as { connect(): Promise<Client & pg.PoolClient> }, work, isIdle),
    waiting: () => pool.waitingCount,
    close() {
      stopKeeping();
      return closePool(pool, busy);
    },
  };
}

/** A query may hang, and so may the code that holds a connection: neither must hold up the end of the process. */
async function closePool(pool: pg.Pool, busy: ReadonlySet<pg.PoolClient>): Promise<void> {
  const patience = new AbortController();
  const late = sleep(CLOSE_PATIENCE_MS, 'late' as const, { signal: patience.signal }).catch(() => undefined);
  const outcome = await Promise.race([pool.end(), late]);
  patience.abort();
  if (outcome !== 'late') return;
  // The pool's own clients are whole ones, whose `end` breaks off a running query.
  for (const client of busy) void (client as unknown as pg.Client).end();
}

/** Whoever left a transaction open must not leave it to the next one. */
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
  let broken = false;
  // Without a listener an error that reaches the connection between two queries would end the process.
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    return await use(client);
  } catch (error) {
    broken ||= leavesConnectionUnusable(error);
    throw error;
  } finally {
    broken ||= !isIdle(client);
    // A broken connection may report its end once more while it is being closed.
    if (!broken) client.off('error', onError);
    client.release(broken);
  }
}

/** FATAL: the server is about to close this connection (shutdown, pg_terminate_backend). */
function leavesConnectionUnusable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}
