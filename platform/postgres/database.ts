/**
 * A pool of connections of one login role, and the few ways in which services talk to PostgreSQL through it.
 * In charge of acquiring and releasing connections and of BEGIN and COMMIT; not of any SQL besides.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runBatch, type Statement, type StatementResult } from './batch.ts';

type Rows = Record<string, unknown>[];

const BEGIN: Statement = { text: 'begin', name: 'begin' };
const COMMIT: Statement = { text: 'commit', name: 'commit' };
const ROLLBACK: Statement = { text: 'rollback' };

/** How long a request waits for a free connection before it fails, in milliseconds. */
const CONNECTION_TIMEOUT_MS = 10_000;
/** Queries that still run so long after `close` are cut off. */
const CLOSE_PATIENCE_MS = 5000;

/** Statements of one transaction. */
export interface Transaction {
  /** Runs one statement. BEGIN rides in the flush of the first one, so that it costs no round trip of its own. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Runs statements in one flush, as {@link Transaction.query} does with one. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** Runs statements and COMMIT in one flush. What comes after it is no longer part of the transaction. */
  commit(statements?: readonly Statement[]): Promise<Rows[]>;
}

/** A pool of one login role. Errors of PostgreSQL are pg's `DatabaseError` (`code` is the SQLSTATE). */
export interface Database {
  /** One statement, one round trip, one implicit transaction. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Several statements, one round trip, one implicit transaction. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** Runs `work` in a transaction: committed when it returns, rolled back when it throws before its `commit`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for the running queries, but not for ever, and closes all connections. */
  close(): Promise<void>;
}

/** Options of {@link openDatabase}. `url` names role, password and database. */
export interface DatabaseOptions {
  url: string;
  /** Most connections at once. */
  max: number;
  applicationName: string;
  /** Told about errors of idle connections, e.g. after a restart of PostgreSQL; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

/** Opens a pool. Connections are made when they are first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // The pool stops listening before whoever gets a new connection begins to. An error in between, in the very packet
  // that says that the connection is ready, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));

  const batch = (statements: readonly Statement[]) =>
    withClient(pool, async (client) => (await runBatch(client, statements)).map((result) => result.rows));

  return {
    batch,
    async query<Row>(statement: Statement) {
      const [rows = []] = await batch([statement]);
      return rows as Row[];
    },
    transaction: (work) => withClient(pool, (client) => runTransaction(client, work)),
    close: () => closePool(pool, busy),
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

async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
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
    // A broken connection may report its end once more while it is being closed.
    if (!broken) client.off('error', onError);
    client.release(broken);
  }
}

/** FATAL: the server is about to close this connection (shutdown, pg_terminate_backend). */
function leavesConnectionUnusable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}

async function runTransaction<T>(client: pg.ClientBase, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let state: 'idle' | 'open' | 'done' = 'idle';

  async function send(statements: readonly Statement[]): Promise<StatementResult[]> {
    const begins = state === 'idle';
    if (begins) state = 'open';
    const results = await runBatch(client, begins ? [BEGIN, ...statements] : statements);
    return begins ? results.slice(1) : results;
  }

  const tx: Transaction = {
    async query<Row>(statement: Statement) {
      const [result] = await send([statement]);
      return (result?.rows ?? []) as Row[];
    },
    batch: async (statements) => (await send(statements)).map((result) => result.rows),
    async commit(statements = []) {
      const results = await send([...statements, COMMIT]);
      state = 'done';
      // PostgreSQL answers COMMIT of a failed transaction with a ROLLBACK and no error.
      if (results.at(-1)?.command === 'ROLLBACK') throw new Error('the transaction had already failed');
      return results.slice(0, -1).map((result) => result.rows);
    },
  };

  try {
    const value = await work(tx);
    if ((state as string) === 'open') await tx.commit();
    return value;
  } catch (error) {
    if ((state as string) === 'open') await runBatch(client, [ROLLBACK]).catch(() => undefined);
    throw error;
  }
}
