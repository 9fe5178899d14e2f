import type { Database } from '@greenroom/postgres';

/** Wraps a database and appends the kind of every flush to `flushes`. */
export function recordFlushes(database: Database, flushes: string[]): Database {
  const recorded = <Arguments extends unknown[], Result>(
    kind: string,
    send: (...sent: Arguments) => Result,
  ) => {
    return (...sent: Arguments) => {
      flushes.push(kind);
      return send(...sent);
    };
  };
  return {
    ...database,
    query: recorded('query', database.query) as Database['query'],
    batch: recorded('batch', database.batch),
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query: recorded('begin and query', tx.query) as typeof tx.query,
          batch: recorded('batch of a transaction', tx.batch),
          commit: recorded('writes and commit', tx.commit),
          rollback: recorded('writes and rollback', tx.rollback),
        }),
      ),
  };
}
