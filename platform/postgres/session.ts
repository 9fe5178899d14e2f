/** One connection outside of any pool, for work that depends on the state of its session, e.g. an advisory lock. */
import pg from 'pg';
import { runBatch, type Statement } from './batch.ts';

/** A notice of the server, e.g. of `raise notice`. */
export interface Notice {
  severity: string;
  message: string;
}

/** A connection. Rejects with pg's `DatabaseError` for errors of PostgreSQL. */
export interface Session {
  /** Runs statements in one flush, as one implicit transaction unless they contain BEGIN or COMMIT. */
  batch(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>;
  /** Closes the connection, which ends a running transaction. */
  close(): Promise<void>;
}

/** Options of {@link openSession}. */
interface SessionOptions {
  url: string;
  applicationName: string;
  onNotice?: (notice: Notice) => void;
}

/** Opens a connection as the role of `url`. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { url, applicationName, onNotice = () => {} } = options;
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  client.on('notice', ({ severity = 'NOTICE', message = '' }) => onNotice({ severity, message }));
  return sessionOf(client);
}

/** Connects a client. */
export async function sessionOf(client: pg.Client): Promise<Session> {
  // A connection that is lost between two batches makes the next one fail; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return {
    batch: async (statements) => (await runBatch(client, statements)).map(({ rows }) => rows),
    close: () => client.end(),
  };
}
