/** The statements of the SQL of a request. */
import { SqlTextError, splitStatements } from '@greenroom/project/sql';
import { failure } from '../errors.ts';

/** A statement and its place in the SQL of the request. */
export interface PlacedStatement {
  text: string;
  /** Offset of `text`. */
  offset: number;
}

/** Returns the statements without those that contain only comments. Throws an error of the catalogue. */
export function statementsOf(sql: string): PlacedStatement[] {
  try {
    return splitStatements(sql)
      .filter(({ text, codeOffset }) => codeOffset < text.length)
      .map(({ text, offset, rows }) => {
        if (rows !== undefined) throw copyFailure();
        return { text, offset };
      });
  } catch (error) {
    if (!(error instanceof SqlTextError)) throw error;
    throw failure('sql_error', { message: error.message });
  }
}

function copyFailure() {
  return failure('sql_error', { message: 'copy … from stdin is not possible here. Import the rows as CSV.' });
}
