/**
 * Splits a SQL file into statements where psql would: at each semicolon outside of quotes, comments, parentheses and the
 * `begin atomic … end` body of a function. The texts equal those that the Supabase CLI records in its history.
 */
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

/** Number of words that identify a statement: `create or replace function`. */
const MAX_WORDS = 4;

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
  let scan = new StatementScan(sql, 0);
  for (const token of tokensOf(sql)) {
    if (!scan.add(token)) continue;
    pieces.push(scan.piece(token.end));
    scan = new StatementScan(sql, token.end);
  }
  if (scan.start < sql.length) pieces.push(scan.piece(sql.length));
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

/** The state between the tokens of one statement. */
class StatementScan {
  readonly start: number;
  readonly #sql: string;
  #codeStart: number | undefined;
  readonly #words: string[] = [];
  /** Number of open parentheses. */
  #parentheses = 0;
  /** Number of open `begin` and `case` in the body of a function. */
  #blocks = 0;
  /** The previous word outside of parentheses, if only space and comments follow it. */
  #lastWord: string | undefined;

  constructor(sql: string, start: number) {
    this.#sql = sql;
    this.start = start;
  }

  /** Adds a token; returns whether it ends the statement. */
  add(token: Token): boolean {
    if (token.kind === 'space' || token.kind === 'comment') return false;
    this.#codeStart ??= token.start;
    if (token.kind === 'backslash') throw this.#metaCommand(token);
    if (token.kind === 'word') {
      this.#addWord(token);
      return false;
    }
    this.#lastWord = undefined;
    if (token.kind === 'open') this.#parentheses++;
    else if (token.kind === 'close') this.#parentheses = Math.max(0, this.#parentheses - 1);
    return token.kind === 'semicolon' && this.#parentheses === 0 && this.#blocks === 0;
  }

  piece(end: number): Piece {
    return { start: this.start, end, codeStart: this.#codeStart, words: this.#words };
  }

  #addWord(token: Token): void {
    const word = this.#sql.slice(token.start, token.end).toLowerCase();
    if (this.#words.length < MAX_WORDS) this.#words.push(word);
    if (this.#parentheses > 0) return;
    if (this.#words[0] === 'copy') this.#requireFile(word, token);
    if (this.#createsRoutine()) this.#blocks = blocksAfter(word, this.#blocks);
    this.#lastWord = word;
  }

  #createsRoutine(): boolean {
    const words = this.#words;
    if (words[0] !== 'create') return false;
    const kind = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1];
    return kind === 'function' || kind === 'procedure';
  }

  #requireFile(word: string, { start }: Token): void {
    const target = `${this.#lastWord} ${word}`;
    if (target !== 'from stdin' && target !== 'to stdout') return;
    throw new SqlTextError(
      `"copy … ${target}" exchanges rows with psql and cannot run here. Write the rows as "insert" statements; pg_dump does so with --inserts.`,
      start,
    );
  }

  #metaCommand({ start }: Token): SqlTextError {
    const [command = '\\'] = /^\S+/.exec(this.#sql.slice(start, start + 40)) ?? [];
    return new SqlTextError(`"${command}" is a command of psql, not SQL. Remove it.`, start);
  }
}

/** In the body of a function, `end` closes `begin` and `case`. */
function blocksAfter(word: string, blocks: number): number {
  if (word === 'begin') return blocks + 1;
  if (word === 'case' && blocks > 0) return blocks + 1;
  return word === 'end' ? Math.max(0, blocks - 1) : blocks;
}
