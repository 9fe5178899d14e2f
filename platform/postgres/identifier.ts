/** Names in SQL text: the one place where they are quoted. */
import pg from 'pg';

/** Quotes a name of a schema, table, function, column or role: what is in it is a name and nothing else. */
export function quoteIdentifier(name: string): string {
  return pg.escapeIdentifier(name);
}
