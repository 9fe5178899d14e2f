/** Quotes names and literals in SQL text. No other module does. */
import pg from 'pg';

/** Quotes the name of a schema, table, function, column or role, so that it cannot be anything but a name. */
export function quoteIdentifier(name: string): string {
  return pg.escapeIdentifier(name);
}

/**
 * Quotes a text of the program's own, such as a name that SQL expects as a value. Values from clients must be
 * parameters instead.
 */
export function quoteLiteral(text: string): string {
  return pg.escapeLiteral(text);
}
