/** Writes statements as the text of a file. */
import { endsWithRows } from './copy-rows.ts';

/**
 * Returns the text of a statement that ends with a semicolon, or with its rows. A comment at its end must not contain the
 * semicolon.
 */
export function terminated(statement: string): string {
  if (endsWithRows(statement)) return statement;
  const [lastLine = ''] = statement.split('\n').slice(-1);
  return lastLine.includes('--') ? `${statement}\n;` : `${statement};`;
}

/** Returns a file of statements without closing semicolons, as the history contains them. */
export function fileOfStatements(statements: readonly string[]): string {
  return statements.map((statement) => `${terminated(statement)}\n`).join('');
}

/** Returns the text of a file, so that another one can follow it: its last statement ends with a semicolon or rows. */
export function terminatedFile(sql: string): string {
  const text = sql.trimEnd();
  return text === '' || text.endsWith(';') ? text : terminated(text);
}
