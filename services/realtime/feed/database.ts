/**
 * The connection pool for the queries of the feed. The connections log in as the role of all requests, are read-only,
 * and use the same text formats as the replication connection. A query is retried when its connection is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type PoolList, type Statement } from '@greenroom/postgres';
import pg from 'pg';

const RETRY_PAUSES_MS = [50, 200, 500, 1000];
/** SQLSTATE class 08: connection exception; 53: insufficient resources; 57P0x: the server stops or is not ready. */
const TRANSIENT = /^(?:08...|53...|57P0.)$/;

/** A pool of read-only connections, on which every query can be retried safely. */
export interface FeedDatabase {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Runs statements in one transaction. */
  batch(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  /** Runs statements as `batch` does. @param onSend called when a connection is free, before they are sent */
  batchWhenFree(statements: readonly Statement[], onSend: () => void): Promise<Record<string, unknown>[][]>;
  close(): Promise<void>;
}

/** Options of {@link openFeedDatabase}. */
interface FeedDatabaseOptions {
  url: string;
  maxConnections: number;
  /** Timeout of a statement in milliseconds. */
  statementTimeoutMs: number;
  onIdleError: (error: Error) => void;
  pools?: PoolList | undefined;
}

/** Opens the pool. Connections are opened when they are first needed. */
export function openFeedDatabase(options: FeedDatabaseOptions): FeedDatabase {
  const closed = new AbortController();
  const database = openDatabase({
    url: withSettings(options.url, {
      TimeZone: 'UTC',
      DateStyle: 'ISO,MDY',
      IntervalStyle: 'postgres',
      bytea_output: 'hex',
      extra_float_digits: '1',
      // A policy that writes would cause another change, whose check writes again, in an endless loop.
      default_transaction_read_only: 'on',
      statement_timeout: String(options.statementTimeoutMs),
    }),
    max: options.maxConnections,
    applicationName: 'greenroom realtime, feed',
    onIdleError: options.onIdleError,
    pools: options.pools,
  });

  async function withRetries<T>(query: () => Promise<T>): Promise<T> {
    for (const pauseMs of RETRY_PAUSES_MS) {
      try {
        return await query();
      } catch (error) {
        if (closed.signal.aborted || !isTransient(error)) throw error;
        await sleep(pauseMs, undefined, { signal: closed.signal }).catch(() => undefined);
      }
    }
    return query();
  }

  return {
    batch: (statements) => withRetries(() => database.batch(statements)),
    batchWhenFree: (statements, onSend) =>
      withRetries(() =>
        database.transaction((tx) => {
          onSend();
          return tx.commit(statements);
        }),
      ),
    query: <Row>(statement: Statement) => withRetries(() => database.query<Row>(statement)),
    async close() {
      closed.abort();
      await database.close();
    },
  };
}

/** Returns the SQLSTATE of an error of PostgreSQL; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether an error is transient: the database was unreachable or overloaded, and the statement itself did not fail. */
export function isTransient(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === undefined || TRANSIENT.test(code);
}

function withSettings(url: string, settings: Record<string, string>): string {
  const target = new URL(url);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const own = target.searchParams.get('options');
  target.searchParams.set('options', [...(own === null ? [] : [own]), ...options].join(' '));
  // URLSearchParams encodes a space as `+`, which pg does not decode.
  target.search = target.search.replaceAll('+', '%20');
  return target.href;
}
