/**
 * Splits a SQL file into statements where psql would: at each semicolon outside of quotes, comments, parentheses and the
 * `begin atomic … end` body of a function. The texts equal those that the Supabase CLI records in its history.
 */
export { SqlTextError } from './tokens.ts';

import { type CopyRows, copyRowsAfter } from './copy-rows.ts';
import { StatementScan } from './statement-scan.ts';
import { SqlTextError, type Token, tokensOf } from './tokens.ts';

/**
 * Lines of pg_dump that stand between statements and forbid other commands of psql. They have no effect here, because no
 * command runs.
 */
const RESTRICTION = /\\(?:un)?restrict[ \t]+[A-Za-z0-9]+[ \t]*(?:\r?\n|$)/y;

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
  /** The rows that follow `copy … from stdin`; undefined for other statements. */
  rows?: CopyRows;
}

/** A range of the file: a statement with its semicolon and its rows, a line without effect, or the end of the file. */
interface Piece {
  start: number;
  end: number;
  /** Offset after the semicolon, or in front of the line without effect. */
  textEnd: number;
  /** Offset of the first token that is neither space nor comment. */
  codeStart: number | undefined;
  words: readonly string[];
  rows: CopyRows | undefined;
}

/**
 * Returns the statements of a file. A piece of only comments counts as a statement, like in the Supabase CLI. Throws
 * {@link SqlTextError} for unclosed quotes and comments, rows without an end, commands of psql, and `copy … to stdout`.
 */
export function splitStatements(sql: string): SqlStatement[] {
  return piecesOf(sql).flatMap((piece) => statementOf(sql, piece) ?? []);
}

/** Returns the ranges of the statements. Together they cover the file. */
export function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < sql.length; ) {
    const piece = pieceAt(sql, start);
    pieces.push(piece);
    start = piece.end;
  }
  return pieces;
}

function pieceAt(sql: string, start: number): Piece {
  const scan = new StatementScan(sql);
  let stdin: Token | undefined;
  const finish = (textEnd: number): Piece => {
    const { codeStart, words } = scan;
    const found = stdin && copyRowsAfter(sql, textEnd, stdin.start);
    return { start, end: found?.end ?? textEnd, textEnd, codeStart, words, rows: found?.rows };
  };
  for (const token of tokensOf(sql, start)) {
    if (token.kind === 'backslash') {
      const end = scan.codeStart === undefined ? endOfRestriction(sql, token) : undefined;
      if (end === undefined) throw metaCommandError(sql, token);
      return { ...finish(token.start), end };
    }
    const isEnd = scan.add(token);
    if (scan.exchange === 'to stdout') throw copyToError(token);
    if (scan.exchange === 'from stdin') stdin ??= token;
    if (isEnd) return finish(token.end);
  }
  return finish(sql.length);
}

function statementOf(
  sql: string,
  { start, textEnd, codeStart, words, rows }: Piece,
): SqlStatement | undefined {
  const raw = sql.slice(start, textEnd).replace(/;$/, '');
  const text = raw.trim();
  if (text === '') return undefined;
  const offset = start + raw.length - raw.trimStart().length;
  const codeOffset = codeStart === undefined ? text.length : Math.min(codeStart - offset, text.length);
  return { text, offset, codeOffset, words, ...(rows && { rows }) };
}

function endOfRestriction(sql: string, { start }: Token): number | undefined {
  RESTRICTION.lastIndex = start;
  return RESTRICTION.test(sql) ? RESTRICTION.lastIndex : undefined;
}

function copyToError({ start }: Token): SqlTextError {
  return new SqlTextError('"copy … to stdout" sends rows to psql and cannot run here. Remove it.', start);
}

function metaCommandError(sql: string, { start }: Token): SqlTextError {
  const [command = '\\'] = /^\S+/.exec(sql.slice(start, start + 40)) ?? [];
  return new SqlTextError(`"${command}" is a command of psql, not SQL. Remove it.`, start);
}
