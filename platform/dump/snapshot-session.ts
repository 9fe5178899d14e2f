/**
 * One transaction that reads a database: pg_dump, queries and `copy … to stdout` see the same snapshot. pg_dump runs on the
 * session of the transaction. On another session with an exported snapshot, its locks would wait for a statement that
 * changes a table, and that statement for the locks of this transaction.
 */
import type { Readable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import { connectForDump, disconnect, runPgDumpOn } from './run-pg-dump.ts';

/** An open transaction. Rejects with pg's `DatabaseError` for errors of PostgreSQL. */
export interface SnapshotSession {
  /** Returns the output of pg_dump. Throws `DumpError`. */
  dump(args: readonly string[]): Promise<string>;
  /** Returns the rows of a query. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Returns the output of `copy … to stdout`; it must be read to its end. */
  copy(sql: string): Readable;
  /** Ends the transaction and the connection at once. */
  close(): void;
}

/** pg_dump sends these as well. Its transaction is the one that is open, so both are without effect. */
const BEGIN = 'begin isolation level repeatable read read only';
/** Limits of a role would end long statements and the pauses between them. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** Begins a transaction as the role of `url`. Throws `DumpError` if the server cannot be reached. */
export async function openSnapshotSession(url: string): Promise<SnapshotSession> {
  const connection = await connectForDump(url);
  const { client } = connection;
  const close = () => disconnect(connection);
  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await client.query(sql, [...values])).rows;
  try {
    for (const limit of LIMITS) await query(`set ${limit} = 0`);
    await query(BEGIN);
  } catch (error) {
    close();
    throw error;
  }
  return {
    async dump(args) {
      const text = await runPgDumpOn(connection, args);
      // A second run prepares statements of the same names.
      await query('deallocate all');
      return text;
    },
    query,
    copy: (sql) => client.query(copyTo(sql)),
    close,
  };
}
