/**
 * What is wrong with a query string. The catalogue of errors turns it into PGRST100: {@link QuerySyntaxError.message}
 * is the message, {@link QuerySyntaxError.expectation} the details.
 */

/** More of a text than this is not repeated in a message. */
const MAX_SHOWN_CHARACTERS = 300;

/**
 * A query string that the grammar does not allow, or that is over a limit.
 *
 * @example new QuerySyntaxError(1, 'filter', 'x', 'unexpected "x" expecting …').message
 *   // "failed to parse filter (x)" (line 1, column 1)
 */
export class QuerySyntaxError extends Error {
  /** Where, counted from 1, in characters of the text that was parsed. */
  readonly position: number;
  /** What was parsed, and its text: `failed to parse filter (x)`. */
  readonly source: string;
  /** What was found, and what would have been allowed. */
  readonly expectation: string;

  constructor(position: number, what: string, text: string, expectation: string) {
    const source = `failed to parse ${what} (${shown(text)})`;
    super(`${JSON.stringify(source)} (line 1, column ${position})`);
    this.name = 'QuerySyntaxError';
    this.position = position;
    this.source = source;
    this.expectation = expectation;
  }
}

function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS
    ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`
    : text.toWellFormed();
}
