/**
 * Finds the end of a statement where psql would: at each semicolon outside of quotes, comments, parentheses and the
 * `begin atomic … end` body of a function.
 */
import type { Token } from './tokens.ts';

/** Number of words that identify a statement: `create or replace function`. */
const MAX_WORDS = 4;

/** A statement that exchanges rows with its client. */
type RowExchange = 'from stdin' | 'to stdout';

/** The state between the tokens of one statement. */
export class StatementScan {
  readonly #sql: string;
  #codeStart: number | undefined;
  readonly #words: string[] = [];
  #exchange: RowExchange | undefined;
  /** Number of open parentheses. */
  #parentheses = 0;
  /** Number of open `begin` and `case` in the body of a function. */
  #blocks = 0;
  /** The previous word outside of parentheses, if only space and comments follow it. */
  #lastWord: string | undefined;

  constructor(sql: string) {
    this.#sql = sql;
  }

  /** Offset of the first token that is neither space nor comment. */
  get codeStart(): number | undefined {
    return this.#codeStart;
  }

  /** The first words in lower case, up to four. */
  get words(): readonly string[] {
    return this.#words;
  }

  /** Set from the token on that makes the statement a `copy` with its client. */
  get exchange(): RowExchange | undefined {
    return this.#exchange;
  }

  /** Adds a token; returns whether it ends the statement. */
  add(token: Token): boolean {
    if (token.kind === 'space' || token.kind === 'comment') return false;
    this.#codeStart ??= token.start;
    if (token.kind === 'word') {
      this.#addWord(token);
      return false;
    }
    this.#lastWord = undefined;
    if (token.kind === 'open') this.#parentheses++;
    else if (token.kind === 'close') this.#parentheses = Math.max(0, this.#parentheses - 1);
    return token.kind === 'semicolon' && this.#parentheses === 0 && this.#blocks === 0;
  }

  #addWord(token: Token): void {
    const word = this.#sql.slice(token.start, token.end).toLowerCase();
    if (this.#words.length < MAX_WORDS) this.#words.push(word);
    if (this.#parentheses > 0) return;
    if (this.#words[0] === 'copy') this.#exchange ??= exchangeOf(this.#lastWord, word);
    if (this.#createsRoutine()) this.#blocks = blocksAfter(word, this.#blocks);
    this.#lastWord = word;
  }

  #createsRoutine(): boolean {
    const words = this.#words;
    if (words[0] !== 'create') return false;
    const kind = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1];
    return kind === 'function' || kind === 'procedure';
  }
}

function exchangeOf(lastWord: string | undefined, word: string): RowExchange | undefined {
  const target = `${lastWord} ${word}`;
  return target === 'from stdin' || target === 'to stdout' ? target : undefined;
}

/** In the body of a function, `end` closes `begin` and `case`. */
function blocksAfter(word: string, blocks: number): number {
  if (word === 'begin') return blocks + 1;
  if (word === 'case' && blocks > 0) return blocks + 1;
  return word === 'end' ? Math.max(0, blocks - 1) : blocks;
}
