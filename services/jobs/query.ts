/** The statements of the connection of the service, one after the other. */
import type pg from 'pg';

/** Runs a statement on the connection of the service. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Creates the function for a client that nothing else uses. A statement starts when the one before has ended. */
export function createQuery(client: pg.Client): Query {
  let last: Promise<unknown> = Promise.resolve();
  return (text, values = []) => {
    const next = last.then(() => client.query(text, [...values])).then(({ rows }) => rows);
    last = next.catch(() => undefined);
    return next;
  };
}
