/** Syntax errors as one line, for tables of tests. */
import { QuerySyntaxError } from '../syntax-error.ts';

/** `position: expectation` of the syntax error that `parse` throws. Fails if it throws none, or something else. */
export function refusalOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof QuerySyntaxError) return `${error.position}: ${error.expectation}`;
    throw error;
  }
  throw new Error('nothing was refused');
}
