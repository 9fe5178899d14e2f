/** Rows of one connection that are copied to another one as a stream, by COPY of both servers. */
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Session, sessionOf } from './session.ts';

/** A connection whose rows can be copied. */
export interface CopySession extends Session {
  readonly client: pg.Client;
}

/** One side of a copy: a connection, and its statement `copy … to stdout` or `copy … from stdin`. */
interface CopySide {
  session: CopySession;
  statement: string;
}

/** Settings that change the texts of values or end a long statement. Each server may have others for a role or database. */
const SETTINGS = [
  'set datestyle = iso',
  'set intervalstyle = postgres',
  'set extra_float_digits = 3',
  'set bytea_output = hex',
  'set xmloption = content',
  `select pg_catalog.set_config(name, '0', false) from pg_catalog.pg_settings where name in
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
];

/** Opens a connection. Values that it writes as text are equal to those that another one reads. */
export async function openCopySession(url: string, applicationName: string): Promise<CopySession> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  const session = await sessionOf(client);
  try {
    await session.batch(SETTINGS.map((text) => ({ text })));
  } catch (error) {
    await session.close();
    throw error;
  }
  return { ...session, client };
}

/** Copies rows in constant memory. Returns how many rows each server counted. Rejects with the error of either. */
export async function copyRows(
  from: CopySide,
  to: CopySide,
  signal?: AbortSignal,
): Promise<{ read: number; written: number }> {
  signal?.throwIfAborted();
  const source = from.session.client.query(copyTo(from.statement));
  const target = to.session.client.query(copyFrom(to.statement));
  await pipeline(source, target, { ...(signal && { signal }) });
  // The number follows the rows, and a result of a later statement follows the number.
  await from.session.batch([{ text: 'select' }]);
  return { read: source.rowCount, written: target.rowCount };
}
