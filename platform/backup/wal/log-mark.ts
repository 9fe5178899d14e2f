/** Reads how far the log of a server was at a time. */
import { type Database, parseLsn } from '@greenroom/postgres';
import type { LogMark } from './covered-time.ts';

/** The clock is read first, so that everything acknowledged before the time is before the position. */
const MARK = `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds,
  pg_current_wal_flush_lsn()::text as position`;

/** Returns the flushed end of the log of a database. */
export async function readLogMark(database: Pick<Database, 'query'>): Promise<LogMark> {
  const [row] = await database.query({ text: MARK });
  return { time: new Date(Number(row?.milliseconds)), position: parseLsn(String(row?.position)) };
}
