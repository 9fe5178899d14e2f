/** The connection that runs a script: statement by statement, with results as texts, like psql. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Notice } from '@greenroom/postgres';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Columns and rows of a statement; a statement without rows has no columns. */
export interface ScriptResult {
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
}

/** Options of {@link openScriptConnection}. */
interface ConnectionOptions {
  url: string;
  applicationName: string;
  onNotice: (notice: Notice) => void;
}

/** An open connection. Rejects with pg's `DatabaseError` for errors of PostgreSQL. */
export interface ScriptConnection {
  /** Id of the server process. */
  readonly pid: number;
  /** Whether a transaction is open, also one in which a statement has failed. */
  isInTransaction(): boolean;
  /** Runs one statement outside of any transaction of ours. */
  run(sql: string): Promise<ScriptResult>;
  /** Runs `copy … from stdin` with rows, in pieces of any length. Returns the number of rows. */
  copy(sql: string, rows: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Closes the connection, which rolls an open transaction back. */
  close(): Promise<void>;
}

const TEXT_PARSERS = { getTypeParser: () => (text: string) => text };

/** Opens a connection as the role of `url`. */
export async function openScriptConnection(options: ConnectionOptions): Promise<ScriptConnection> {
  const { url, applicationName, onNotice } = options;
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  // A connection that is lost makes the running statement fail; without a listener it would end the process.
  client.on('error', () => undefined);
  client.on('notice', ({ severity = 'NOTICE', message = '' }) => onNotice({ severity, message }));
  let status = 'I';
  client.connection.on('readyForQuery', (message: { status: string }) => {
    status = message.status;
  });
  await client.connect();
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows as [{ pid: number }];
  return {
    pid,
    isInTransaction: () => status !== 'I',
    async run(sql) {
      const found = await client.query({ text: sql, rowMode: 'array', types: TEXT_PARSERS });
      const { fields, rows } = found as pg.QueryArrayResult<(string | null)[]>;
      return { columns: fields.map(({ name }) => name), rows };
    },
    async copy(sql, rows) {
      const copying = client.query(copyFrom(sql));
      await pipeline(Readable.from(rows), copying);
      return copying.rowCount;
    },
    close: () => client.end(),
  };
}
