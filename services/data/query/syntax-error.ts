/**
 * Syntax errors of query strings. They become PGRST100: {@link QuerySyntaxError.message} is the message,
 * {@link QuerySyntaxError.expectation} the details.
 */

/** A longer text is truncated in messages. */
const MAX_SHOWN_CHARACTERS = 300;

/**
 * A query string that violates the grammar or a limit.
 *
 * @example new QuerySyntaxError(1, 'filter', 'x', 'unexpected "x" expecting …').message
 *   // "failed to parse filter (x)" (line 1, column 1)
 */
export class QuerySyntaxError extends Error {
  /** Position in the parsed text, in characters from 1. */
  readonly position: number;
  /** The kind and the text of the parsed part: `failed to parse filter (x)`. */
  readonly source: string;
  /** The unexpected character and the expected ones, or another reason. */
  readonly expectation: string;

  constructor(position: number, kind: string, text: string, expectation: string) {
    const source = `failed to parse ${kind} (${truncated(text)})`;
    super(`${JSON.stringify(source)} (line 1, column ${position})`);
    this.name = 'QuerySyntaxError';
    this.position = position;
    this.source = source;
    this.expectation = expectation;
  }
}

function truncated(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS
    ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`
    : text.toWellFormed();
}
