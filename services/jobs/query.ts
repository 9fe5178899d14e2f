/** The statements of the connection of the service, one after the other. */
import { runBatch, type Statement } from '@greenroom/postgres';
import type pg from 'pg';

/** Runs a statement. */
type Run = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Runs statements on the connection of the service. */
export interface Query extends Run {
  /**
   * Runs statements in one transaction and one round trip, and returns the rows of the last one. Rejects with the error of the
   * first statement that failed, after the transaction was rolled back.
   */
  transaction<Row>(statements: readonly Statement[]): Promise<Row[]>;
}

/** Creates the function for a client that nothing else uses. A statement starts when the one before has ended. */
export function createQuery(client: pg.Client): Query {
  let last: Promise<unknown> = Promise.resolve();

  function afterLast<Result>(task: () => Promise<Result>): Promise<Result> {
    const next = last.then(task);
    last = next.catch(() => undefined);
    return next;
  }

  async function transaction<Row>(statements: readonly Statement[]): Promise<Row[]> {
    try {
      const results = await runBatch(client, [{ text: 'begin' }, ...statements, { text: 'commit' }]);
      return (results.at(-2)?.rows ?? []) as Row[];
    } catch (error) {
      // A lost connection has rolled back already.
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  const query: Run = (text, values = []) =>
    afterLast(async () => (await client.query(text, [...values])).rows);
  return Object.assign(query, {
    transaction: <Row>(statements: readonly Statement[]) => afterLast(() => transaction<Row>(statements)),
  });
}
