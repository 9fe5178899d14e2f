/**
 * The lexical rules of PostgREST's URL grammar: names, quoted texts, names of types, and blanks. A scanner reads one
 * decoded text from left to right; there is no separate tokenizer.
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

/** Character codes with a meaning in the grammar. */
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

/** Stands for the end of the text in place of a character code. */
export const END = -1;

/** Expectation in the message for a missing name. */
export const EXPECTED_NAME = 'field name (* or [a..z0..9_$])';

const IN_RUN = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$ ') {
  IN_RUN[character.charCodeAt(0)] = 1;
}
const LETTER = /^\p{L}$/u;

/** Scans one text. Positions are offsets from 0; messages count from 1. */
export class Scanner {
  readonly text: string;
  readonly usage: Usage;
  position = 0;
  /** Whether the last {@link Scanner.name} was quoted. Keywords of the grammar are never quoted. */
  isQuoted = false;
  readonly #source: string;
  readonly #columnOffset: number;

  /**
   * @param source kind of the text, for messages: `select parameter`, `filter`, …
   * @param columnOffset number of characters before the text that positions in messages include
   */
  constructor(source: string, text: string, usage: Usage, columnOffset = 0) {
    this.text = text;
    this.usage = usage;
    this.#source = source;
    this.#columnOffset = columnOffset;
  }

  /** Returns the character code at the current position, or `ahead` characters after it. */
  code(ahead = 0): number {
    const position = this.position + ahead;
    return position < this.text.length ? this.text.charCodeAt(position) : END;
  }

  /** Consumes the next character if it has this code. Returns whether it did. */
  accept(code: number): boolean {
    if (this.code() !== code) return false;
    this.position += 1;
    return true;
  }

  /** Consumes `text` if it comes next. Returns whether it did. */
  acceptText(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Consumes the next character. Throws if it has another code. */
  expect(code: number, expected = `"${String.fromCharCode(code)}"`): void {
    if (!this.accept(code)) this.fail(expected);
  }

  /** Skips blanks. */
  blanks(): void {
    const start = this.position;
    for (let code = this.code(); code === SPACE || code === TAB; code = this.code()) this.position += 1;
    this.usage.characters += this.position - start;
  }

  /** Skips trailing blanks. Throws if any other text is left. */
  end(expected: string): void {
    this.blanks();
    if (this.position < this.text.length) this.fail(expected, "'");
  }

  /** Reads a name of the grammar. */
  name(expected = EXPECTED_NAME): string {
    this.isQuoted = this.code() === QUOTE;
    return this.isQuoted ? this.#quotedName(expected) : this.#unquotedName(expected);
  }

  /** Reads the name of a type, which has only characters that are safe to insert into SQL unquoted. */
  type(): string {
    return this.typeIfAny() ?? this.fail('letter or digit');
  }

  /** Reads the name of a type. Returns undefined if there is none. */
  typeIfAny(): string | undefined {
    const start = this.position;
    this.#run();
    return this.text.slice(start, this.position).trim() || undefined;
  }

  /** Reads lower-case ASCII letters, possibly none. */
  word(): string {
    const start = this.position;
    for (let code = this.code(); code >= 0x61 && code <= 0x7a; code = this.code()) this.position += 1;
    this.usage.characters += this.position - start;
    return this.text.slice(start, this.position);
  }

  /** Reads ASCII letters and underscores, possibly none. */
  letters(): string {
    const start = this.position;
    while (isLetterOrUnderscore(this.code())) this.position += 1;
    this.usage.characters += this.position - start;
    return this.text.slice(start, this.position);
  }

  /** Reads a quoted text. Returns undefined and consumes nothing if the closing quote is missing. */
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

  /** Throws the error for an unexpected character. The message puts `mark` around the character. */
  fail(expected: string, mark = '"'): never {
    const found = this.text.codePointAt(this.position);
    const unexpected = found === undefined ? 'end of input' : `${mark}${String.fromCodePoint(found)}${mark}`;
    this.refuse(`unexpected ${unexpected} expecting ${expected}`);
  }

  /** Throws an error for another reason, for example a limit. */
  refuse(reason: string): never {
    const characters = Array.from(this.text.slice(0, this.position)).length;
    throw new QuerySyntaxError(this.#columnOffset + characters + 1, this.#source, this.text, reason);
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
