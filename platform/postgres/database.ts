/**
 * A pool of connections of one login role, and the few ways in which services talk to PostgreSQL through it.
 * In charge of BEGIN and COMMIT; not of any SQL besides.
 */
import pg from 'pg';
import { runBatch, type Statement, type StatementResult } from './batch.ts';
import { openPool, type PoolOptions } from './pool.ts';

type Rows = Record<string, unknown>[];

const BEGIN: Statement = { text: 'begin', name: 'begin' };
const COMMIT: Statement = { text: 'commit', name: 'commit' };
const ROLLBACK: Statement = { text: 'rollback' };
const UNDO: Statement = { text: 'rollback', name: 'rollback' };

/** Statements of one transaction. */
export interface Transaction {
  /** Runs one statement. BEGIN rides in the flush of the first one, so that it costs no round trip of its own. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Runs statements in one flush, as {@link Transaction.query} does with one. */
  batch(statements: readonly Statement[]): Promise<Rows[]>;
  /** Runs statements and COMMIT in one flush. What comes after it is no longer part of the transaction. */
  commit(statements?: readonly Statement[]): Promise<Rows[]>;
  /** Runs statements, and takes them and the rest of the transaction back, in one flush: they are only tried. */
  rollback(statements?: readonly Statement[]): Promise<Rows[]>;
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

/** Options of {@link openDatabase}. */
export interface DatabaseOptions extends PoolOptions {
  /** Asked before each batch; where it says no, names of statements count for nothing. Yes, where not given. */
  preparesStatements?: () => boolean;
}

type RunBatch = typeof runBatch;

/** Opens a pool. Connections are made when they are first needed. */
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
      // PostgreSQL answers COMMIT of a failed transaction with a ROLLBACK and no error.
      if (results.at(-1)?.command === 'ROLLBACK') throw new Error('the transaction had already failed');
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
