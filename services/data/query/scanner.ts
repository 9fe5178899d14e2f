/**
 * The lexical rules of PostgREST's URL grammar: names, quoted texts, types' names, blanks. A scanner goes over one
 * decoded text, from left to right, without tokens of its own.
 *
 *     name   = quoted / run *( "-" run )        ; but "->" begins a JSON path
 *     run    = 1*( letter / DIGIT / "_" / "$" / " " )
 *     quoted = DQUOTE *( any but DQUOTE and "\" / "\" any ) DQUOTE
 *     type   = run
 *
 * Letters are Unicode. Blanks around an unquoted name do not belong to it.
 */
import type { Usage } from './limits.ts';
import { QuerySyntaxError } from './syntax-error.ts';

/** Character codes that mean something in the grammar. */
const TAB = 0x09;
const SPACE = 0x20;
export const EXCLAMATION = 0x21;
export const QUOTE = 0x22;
export const LEFT = 0x28;
export const RIGHT = 0x29;
export const ASTERISK = 0x2a;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const COLON = 0x3a;
export const GREATER = 0x3e;
const BACKSLASH = 0x5c;
export const LEFT_BRACE = 0x7b;
export const RIGHT_BRACE = 0x7d;

/** The end of the text, where a character code is asked for. */
export const END = -1;

/** What is said where a name is missing. */
export const EXPECTED_NAME = 'field name (* or [a..z0..9_$])';

const IN_RUN = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$ ') {
  IN_RUN[character.charCodeAt(0)] = 1;
}
const LETTER = /^\p{L}$/u;

/** Goes over one text. Positions are offsets into it; messages count from 1. */
export class Scanner {
  readonly text: string;
  readonly usage: Usage;
  position = 0;
  /** Whether the last {@link Scanner.name} was in quotes. Words of the grammar are never quoted. */
  isQuoted = false;
  readonly #what: string;
  readonly #before: number;

  /**
   * @param what what the text is, for messages: `select parameter`, `filter`, …
   * @param before characters that messages count in front of the text
   */
  constructor(what: string, text: string, usage: Usage, before = 0) {
    this.text = text;
    this.usage = usage;
    this.#what = what;
    this.#before = before;
  }

  /** The character code here, or so many characters further on. */
  code(ahead = 0): number {
    const position = this.position + ahead;
    return position < this.text.length ? this.text.charCodeAt(position) : END;
  }

  /** Steps over a character if it is this one. */
  take(code: number): boolean {
    if (this.code() !== code) return false;
    this.position += 1;
    return true;
  }

  /** Steps over a text if it is here. */
  takeText(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Steps over a character that must be here. */
  expect(code: number, expected = `"${String.fromCharCode(code)}"`): void {
    if (!this.take(code)) this.fail(expected);
  }

  /** Steps over blanks. */
  blanks(): void {
    const start = this.position;
    for (let code = this.code(); code === SPACE || code === TAB; code = this.code()) this.position += 1;
    this.usage.characters += this.position - start;
  }

  /** Nothing but blanks may be left. */
  end(expected: string): void {
    this.blanks();
    if (this.position < this.text.length) this.fail(expected, "'");
  }

  /** A name, see above. */
  name(expected = EXPECTED_NAME): string {
    this.isQuoted = this.code() === QUOTE;
    return this.isQuoted ? this.#quotedName(expected) : this.#unquotedName(expected);
  }

  /** A type's name, in the only characters that may go into SQL as they are. */
  type(): string {
    return this.typeIfAny() ?? this.fail('letter or digit');
  }

  /** A type's name, or undefined where there is none. */
  typeIfAny(): string | undefined {
    const start = this.position;
    this.#run();
    return this.text.slice(start, this.position).trim() || undefined;
  }

  /** Small ASCII letters, possibly none. */
  word(): string {
    const start = this.position;
    for (let code = this.code(); code >= 0x61 && code <= 0x7a; code = this.code()) this.position += 1;
    this.usage.characters += this.position - start;
    return this.text.slice(start, this.position);
  }

  /** ASCII letters and underscores, possibly none. */
  letters(): string {
    const start = this.position;
    while (isLetterOrUnderscore(this.code())) this.position += 1;
    this.usage.characters += this.position - start;
    return this.text.slice(start, this.position);
  }

  /** A text in quotes, or undefined, with nothing stepped over, where they are not closed. */
  quoted(): string | undefined {
    const start = this.position;
    let text = '';
    let from = start + 1;
    for (this.position = from; this.position < this.text.length; this.position += 1) {
      const code = this.text.charCodeAt(this.position);
      if (code === QUOTE) {
        text += this.text.slice(from, this.position);
        this.position += 1;
        this.usage.characters += this.position - start;
        return text;
      }
      if (code === BACKSLASH) {
        text += this.text.slice(from, this.position);
        this.position += 1;
        from = this.position;
      }
    }
    this.usage.characters += this.text.length - start;
    this.position = start;
    return undefined;
  }

  /** Refuses what is here. `mark` goes around the character that was found. */
  fail(expected: string, mark = '"'): never {
    const found = this.text.codePointAt(this.position);
    const unexpected = found === undefined ? 'end of input' : `${mark}${String.fromCodePoint(found)}${mark}`;
    this.refuse(`unexpected ${unexpected} expecting ${expected}`);
  }

  /** Refuses for a reason of its own, for example a limit. */
  refuse(reason: string): never {
    const characters = Array.from(this.text.slice(0, this.position)).length;
    throw new QuerySyntaxError(this.#before + characters + 1, this.#what, this.text, reason);
  }

  #quotedName(expected: string): string {
    const name = this.quoted();
    if (name === undefined) {
      this.position = this.text.length;
      this.fail('"\\"" (the end of a quoted name)');
    }
    if (name === '') this.fail(expected);
    return name;
  }

  #unquotedName(expected: string): string {
    const start = this.position;
    this.#run();
    if (this.position === start) this.fail(expected);
    while (this.code() === DASH && this.code(1) !== GREATER) {
      this.position += 1;
      const from = this.position;
      this.#run();
      if (this.position === from) this.fail('letter, digit or "_"');
    }
    const name = this.text.slice(start, this.position).trim();
    if (name === '') this.fail(expected);
    return name;
  }

  #run(): void {
    const { text } = this;
    const start = this.position;
    let position = start;
    while (position < text.length) {
      const code = text.charCodeAt(position);
      if (code >= 128) {
        const length = letterLength(text, position);
        if (length === 0) break;
        position += length;
      } else if (IN_RUN[code] === 1) {
        position += 1;
      } else {
        break;
      }
    }
    this.position = position;
    this.usage.characters += position - start;
  }
}

function isLetterOrUnderscore(code: number): boolean {
  const small = code | 0x20;
  return code === 0x5f || (small >= 0x61 && small <= 0x7a);
}

function letterLength(text: string, position: number): number {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  return LETTER.test(character) ? character.length : 0;
}
