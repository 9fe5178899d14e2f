/** Names and texts in SQL text: the one place where they are quoted. */
import pg from 'pg';

/** Quotes a name of a schema, table, function, column or role: what is in it is a name and nothing else. */
export function quoteIdentifier(name: string): string {
  return pg.escapeIdentifier(name);
}

/** Quotes a text of our own, such as a name where SQL wants a value. What a client sends is a parameter instead. */
export function quoteLiteral(text: string): string {
  return pg.escapeLiteral(text);
}
