import type { Database } from '@greenroom/postgres';

/** Wraps a database and appends the kind of every flush to `flushes`. */
export function notingFlushes(database: Database, flushes: string[]): Database {
  const note = <Arguments extends unknown[], Result>(kind: string, send: (...sent: Arguments) => Result) => {
    return (...sent: Arguments) => {
      flushes.push(kind);
      return send(...sent);
    };
  };
  return {
    ...database,
    query: note('query', database.query) as Database['query'],
    batch: note('batch', database.batch),
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query: note('begin and query', tx.query) as typeof tx.query,
          batch: note('batch of a transaction', tx.batch),
          commit: note('writes and commit', tx.commit),
          rollback: note('writes and rollback', tx.rollback),
        }),
      ),
  };
}
