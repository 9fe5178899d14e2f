/**
 * A pool of connections of one login role, and the ways in which services run statements on it. All SQL comes
 * from the services, except for BEGIN, COMMIT and ROLLBACK.
 */
import pg from 'pg';
import { runBatch, type Statement, type StatementResult } from './batch.ts';
import { openPool, type PoolOptions } from './pool.ts';

type Rows = Record<string, unknown>[];

const BEGIN: Statement = { text: 'begin', name: 'begin' };
const COMMIT: Statement = { text: 'commit', name: 'commit' };
const ROLLBACK: Statement = { text: 'rollback' };
const UNDO: Statement = { text: 'rollback', name: 'rollback' };

/** Runs statements of one transaction. */
export interface Transaction {
  /** Runs one statement. BEGIN is sent in the flush of the first statement, so it costs no extra round trip. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Runs statements in one flush, like {@link Transaction.query} does for one. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** Runs statements and COMMIT in one flush. Later statements are not part of the transaction. */
  commit(statements?: readonly Statement[]): Promise<Rows[]>;
  /**
   * Runs statements and rolls back the whole transaction in one flush, to try the statements without keeping their
   * effects.
   */
  rollback(statements?: readonly Statement[]): Promise<Rows[]>;
}

/** A pool of one login role. Rejects with pg's `DatabaseError` for errors of PostgreSQL (`code` is the SQLSTATE). */
export interface Database {
  /** Runs one statement in one round trip, as one implicit transaction. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Runs several statements in one round trip, as one implicit transaction. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** Runs `work` in a transaction: commits when it returns, rolls back when it throws before its `commit`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits a limited time for running queries and closes all connections. */
  close(): Promise<void>;
}

/** Options of {@link openDatabase}. */
export interface DatabaseOptions extends PoolOptions {
  /** Called before each batch: if it returns false, the names of statements are ignored. Default: true. */
  preparesStatements?: () => boolean;
}

type RunBatch = typeof runBatch;

/** Opens a pool. Connections are opened on demand. */
export function openDatabase({ preparesStatements = () => true, ...options }: DatabaseOptions): Database {
  const pool = openPool(options, pg.Client);
  const run: RunBatch = (client, statements) =>
    runBatch(client, preparesStatements() ? statements : statements.map(withoutName));
  const batch = (statements: readonly Statement[]) =>
    pool.use(async (client) => (await run(client, statements)).map((result) => result.rows));

  return {
    batch,
    async query<Row>(statement: Statement) {
      const [rows = []] = await batch([statement]);
      return rows as Row[];
    },
    transaction: (work) => pool.use((client) => runTransaction(client, run, work)),
    close: () => pool.close(),
  };
}

function withoutName({ name: _, ...statement }: Statement): Statement {
  return statement;
}

async function runTransaction<T>(
  client: pg.ClientBase,
  run: RunBatch,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let state: 'idle' | 'open' | 'done' = 'idle';

  async function send(statements: readonly Statement[]): Promise<StatementResult[]> {
    const begins = state === 'idle';
    if (begins) state = 'open';
    const results = await run(client, begins ? [BEGIN, ...statements] : statements);
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
      // PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK and without an error.
      if (results.at(-1)?.command === 'ROLLBACK')
        throw new Error('the transaction was rolled back, because an earlier statement failed');
      return results.slice(0, -1).map((result) => result.rows);
    },
    async rollback(statements = []) {
      const results = await send([...statements, UNDO]);
      state = 'done';
      return results.slice(0, -1).map((result) => result.rows);
    },
  };

  try {
    const value = await work(tx);
    if ((state as string) === 'open') await tx.commit();
    return value;
  } catch (error) {
    if ((state as string) === 'open') await run(client, [ROLLBACK]).catch(() => undefined);
    throw error;
  }
}
