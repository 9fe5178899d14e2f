/** The statements of the SQL of a request. */
import { SqlTextError, splitStatements } from '@greenroom/project/sql';
import { failure } from '../errors.ts';

/** A statement and its place in the SQL of the request. */
export interface PlacedStatement {
  text: string;
  /** Offset of `text`. */
  offset: number;
  /** The first words in lower case. */
  words: readonly string[];
}

/** First words of statements that end a transaction. `rollback to` a savepoint does not. */
const ENDS = new Set(['commit', 'end', 'rollback', 'abort', 'prepare']);

/** Throws an error of the catalogue if a statement would end the transaction of a run that is rolled back. */
export function requireNoEnd(statements: readonly PlacedStatement[]): void {
  const ending = statements.find(({ words: [first = '', second, third] }) => {
    if (first === 'prepare') return second === 'transaction';
    return ENDS.has(first) && second !== 'to' && third !== 'to';
  });
  if (ending === undefined) return;
  throw failure('sql_error', { message: `A run that is rolled back cannot contain ${ending.words[0]}.` });
}

/** Returns the statements without those that contain only comments. Throws an error of the catalogue. */
export function statementsOf(sql: string): PlacedStatement[] {
  try {
    return splitStatements(sql)
      .filter(({ text, codeOffset }) => codeOffset < text.length)
      .map(({ text, offset, words, rows }) => {
        if (rows !== undefined) throw copyFailure();
        return { text, offset, words };
      });
  } catch (error) {
    if (!(error instanceof SqlTextError)) throw error;
    throw failure('sql_error', { message: error.message });
  }
}

function copyFailure() {
  return failure('sql_error', { message: 'copy … from stdin is not possible here. Import the rows as CSV.' });
}
