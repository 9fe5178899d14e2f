/**
 * Splits a SQL file into statements where psql would: at each semicolon outside of quotes, comments, parentheses and the
 * `begin atomic … end` body of a function. The texts equal those that the Supabase CLI records in its history.
 */
import { type RowExchange, StatementScan } from './statement-scan.ts';
import { SqlTextError, type Token, tokensOf } from './tokens.ts';

/** One statement of a file. */
export interface SqlStatement {
  /** Without surrounding space and without the closing semicolon; comments in front of it belong to it. */
  text: string;
  /** Offset of `text` in the file. */
  offset: number;
  /** Offset in `text` of the first character that is neither space nor comment; the length of `text` if none is. */
  codeOffset: number;
  /** The first words in lower case, up to four: `create`, `or`, `replace`, `function`. */
  words: readonly string[];
}

/** A range of the file that ends after the semicolon of its statement, or at the end of the file. */
interface Piece {
  start: number;
  end: number;
  /** Offset of the first token that is neither space nor comment. */
  codeStart: number | undefined;
  words: readonly string[];
}

/**
 * Returns the statements of a file. A piece of only comments counts as a statement, like in the Supabase CLI. Throws
 * {@link SqlTextError} for unclosed quotes and comments, commands of psql, and `copy` from the file itself.
 */
export function splitStatements(sql: string): SqlStatement[] {
  return piecesOf(sql).flatMap((piece) => statementOf(sql, piece) ?? []);
}

/** Returns the ranges of the statements. Together they cover the file. */
export function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let scan = new StatementScan(sql);
  const finish = (end: number) => {
    pieces.push({ start, end, codeStart: scan.codeStart, words: scan.words });
    start = end;
    scan = new StatementScan(sql);
  };
  for (const token of tokensOf(sql)) {
    if (token.kind === 'backslash') throw metaCommandError(sql, token);
    const isEnd = scan.add(token);
    if (scan.exchange !== undefined) throw exchangeError(scan.exchange, token);
    if (isEnd) finish(token.end);
  }
  if (start < sql.length) finish(sql.length);
  return pieces;
}

function statementOf(sql: string, { start, end, codeStart, words }: Piece): SqlStatement | undefined {
  const raw = sql.slice(start, end).replace(/;$/, '');
  const text = raw.trim();
  if (text === '') return undefined;
  const offset = start + raw.length - raw.trimStart().length;
  const codeOffset = codeStart === undefined ? text.length : Math.min(codeStart - offset, text.length);
  return { text, offset, codeOffset, words };
}

function exchangeError(exchange: RowExchange, { start }: Token): SqlTextError {
  return new SqlTextError(
    `"copy … ${exchange}" exchanges rows with psql and cannot run here. Write the rows as "insert" statements; pg_dump does so with --inserts.`,
    start,
  );
}

function metaCommandError(sql: string, { start }: Token): SqlTextError {
  const [command = '\\'] = /^\S+/.exec(sql.slice(start, start + 40)) ?? [];
  return new SqlTextError(`"${command}" is a command of psql, not SQL. Remove it.`, start);
}
