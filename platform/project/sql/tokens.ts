/**
 * Splits SQL text into tokens, as far as the end of a statement depends on them: comments, quotes, words, parentheses and
 * semicolons. Follows the lexical rules of psql (PostgreSQL documentation, "Lexical Structure"; `psqlscan.l`), with
 * `standard_conforming_strings` on. It does not parse SQL.
 */

/** `other` is any character without a meaning for the end of a statement, e.g. of an operator or a number. */
type TokenKind =
  | 'space'
  | 'comment'
  | 'quoted'
  | 'word'
  | 'open'
  | 'close'
  | 'semicolon'
  | 'backslash'
  | 'other';

/** A range of the text: `text.slice(start, end)`. The tokens of a text adjoin each other and cover it. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
}

/** The text of a file cannot be split into statements. `offset` is that of the character where the problem begins. */
export class SqlTextError extends Error {
  override readonly name = 'SqlTextError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const SPACE = /[ \t\n\r\f\v\uFEFF]+/y;
const LINE_COMMENT = /--[^\n\r]*/y;
/** Identifiers and keywords; bytes above 127 are letters. A `$` inside does not begin a quote. */
const WORD = /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y;
/** Also `$1`, the name of a parameter. */
const NUMBER = /\$?[0-9][A-Za-z0-9_]*/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_\u0080-\uFFFF]*)?\$/y;
const PLAIN_STRING = /'[^']*(?:''[^']*)*'/y;
/** Backslash escapes, as in `E'it\'s'`. */
const ESCAPE_STRING = /'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'/y;
const QUOTED_IDENTIFIER = /"[^"]*(?:""[^"]*)*"/y;
/**
 * Strings that are separated by a line break continue each other, with the same escapes. Here the server decides: psql
 * reads line by line, and takes the second string for one without escapes.
 */
const CONTINUATION = /[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*(?=')/y;
const COMMENT_MARK = /\/\*|\*\//g;

const SINGLE: Readonly<Record<string, TokenKind>> = {
  '(': 'open',
  ')': 'close',
  ';': 'semicolon',
  '\\': 'backslash',
};

/**
 * Returns the tokens of a text. Throws {@link SqlTextError} for a comment or a quote without an end.
 * @param start offset of the first token
 */
export function* tokensOf(text: string, start = 0): Generator<Token> {
  let previous: Token | undefined;
  for (let position = start; position < text.length; ) {
    const token = tokenAt(text, position, previous);
    yield token;
    previous = token;
    position = token.end;
  }
}

function tokenAt(text: string, start: number, previous: Token | undefined): Token {
  const character = text[start] ?? '';
  const single = SINGLE[character];
  if (single !== undefined) return { kind: single, start, end: start + 1 };
  const found = (kind: TokenKind, end: number | undefined): Token | undefined =>
    end === undefined ? undefined : { kind, start, end };
  if (character === "'") return { kind: 'quoted', start, end: endOfString(text, start, previous) };
  if (character === '"') return { kind: 'quoted', start, end: endOfQuotedIdentifier(text, start) };
  return (
    found('space', endOf(SPACE, text, start)) ??
    found('comment', endOf(LINE_COMMENT, text, start)) ??
    found('comment', endOfBlockComment(text, start)) ??
    found('word', endOf(WORD, text, start)) ??
    found('other', endOf(NUMBER, text, start)) ??
    found('quoted', endOfDollarQuote(text, start)) ?? { kind: 'other', start, end: start + 1 }
  );
}

/** Returns the end of a match at exactly this position. */
function endOf(sticky: RegExp, text: string, start: number): number | undefined {
  sticky.lastIndex = start;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

function endOfString(text: string, start: number, previous: Token | undefined): number {
  const prefix = previous?.kind === 'word' ? text.slice(previous.start, previous.end) : '';
  const string = prefix.toLowerCase() === 'e' ? ESCAPE_STRING : PLAIN_STRING;
  let end = endOf(string, text, start);
  if (end === undefined) throw new SqlTextError('this string has no closing quote', start);
  for (let next = endOf(CONTINUATION, text, end); next !== undefined; next = endOf(CONTINUATION, text, end)) {
    const continued = endOf(string, text, next);
    if (continued === undefined) throw new SqlTextError('this string has no closing quote', next);
    end = continued;
  }
  return end;
}

function endOfQuotedIdentifier(text: string, start: number): number {
  const end = endOf(QUOTED_IDENTIFIER, text, start);
  if (end === undefined) throw new SqlTextError('this quoted name has no closing quote', start);
  return end;
}

function endOfDollarQuote(text: string, start: number): number | undefined {
  const opened = endOf(DOLLAR_TAG, text, start);
  if (opened === undefined) return undefined;
  const tag = text.slice(start, opened);
  const closing = text.indexOf(tag, opened);
  if (closing === -1) throw new SqlTextError(`the text that begins with ${tag} has no closing ${tag}`, start);
  return closing + tag.length;
}

/** Block comments nest. */
function endOfBlockComment(text: string, start: number): number | undefined {
  if (!text.startsWith('/*', start)) return undefined;
  COMMENT_MARK.lastIndex = start;
  for (let depth = 0; ; ) {
    const mark = COMMENT_MARK.exec(text);
    if (mark === null) throw new SqlTextError('this comment has no closing */', start);
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return COMMENT_MARK.lastIndex;
  }
}
