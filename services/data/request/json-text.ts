/**
 * The grammar of JSON (RFC 8259), over bytes and without building values. Each function reads from a place on and gives the
 * place behind what it has read. Most of what is read are bodies of many rows, so places go through variables and results.
 */

/** How deep values may be nested. Far deeper than any client goes, and far from what exhausts PostgreSQL's stack. */
export const MAX_JSON_DEPTH = 512;

/** The text is no JSON; the message says why, and never quotes it. */
export class JsonScanError extends Error {
  override readonly name = 'JsonScanError';
}

/** Told where the keys of an object are, with their quotes. */
export interface KeyListener {
  add(start: number, end: number): void;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

/** To the next byte that is no blank, or the end. */
export function skipBlanks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte > SPACE) return at;
    if (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB) return at;
    at++;
  }
}

/** A value that begins at `start`. @throws JsonScanError */
export function skipValue(bytes: Buffer, start: number, depth: number): number {
  if (depth > MAX_JSON_DEPTH) throw new JsonScanError('The JSON is nested too deeply.');
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start);
  if (isDigit(first) || first === MINUS) return skipNumber(bytes, start);
  if (first === OPEN_BRACE) return skipObject(bytes, start, depth);
  if (first === OPEN_BRACKET) return skipArray(bytes, start, (item) => skipValue(bytes, item, depth + 1));
  return skipLiteral(bytes, start);
}

/** An object whose brace is at `start`. */
export function skipObject(bytes: Buffer, start: number, depth: number, keys?: KeyListener): number {
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACE) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) throw unexpected(bytes, at);
    const keyEnd = skipString(bytes, at);
    keys?.add(at, keyEnd);
    at = skipBlanks(bytes, keyEnd);
    if (bytes[at] !== COLON) throw unexpected(bytes, at);
    at = skipBlanks(bytes, at + 1);
    at = skipBlanks(bytes, skipValue(bytes, at, depth + 1));
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    at = skipComma(bytes, at);
  }
}

/** An array whose bracket is at `start`; `skipItem` is given the place of each item. */
export function skipArray(bytes: Buffer, start: number, skipItem: (at: number) => number): number {
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    at = skipBlanks(bytes, skipItem(at));
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    at = skipComma(bytes, at);
  }
}

/** Requires that nothing but blanks is left. */
export function requireEnd(bytes: Buffer, at: number): void {
  const end = skipBlanks(bytes, at);
  if (end < bytes.length) throw unexpected(bytes, end);
}

function skipComma(bytes: Buffer, at: number): number {
  if (bytes[at] !== COMMA) throw unexpected(bytes, at);
  return skipBlanks(bytes, at + 1);
}

function skipString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at = skipEscape(bytes, at);
    else if (byte >= SPACE) at++;
    else throw unexpected(bytes, at);
  }
}

function skipEscape(bytes: Buffer, backslash: number): number {
  const letter = bytes[backslash + 1];
  if (letter === LOWER_U) {
    for (let at = backslash + 2; at < backslash + 6; at++) {
      if (!isHexDigit(bytes[at])) throw unexpected(bytes, at);
    }
    return backslash + 6;
  }
  if (letter === undefined || !ESCAPES.has(letter)) throw unexpected(bytes, backslash + 1);
  return backslash + 2;
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : skipDigits(bytes, at);
  if (bytes[at] === DOT) at = skipDigits(bytes, at + 1);
  const exponent = bytes[at];
  if (exponent !== LOWER_E && exponent !== UPPER_E) return at;
  const sign = bytes[at + 1];
  return skipDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

/** At least one. */
function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw unexpected(bytes, at);
  return at;
}

function skipLiteral(bytes: Buffer, start: number): number {
  const word = LITERALS.get(bytes[start] ?? 0);
  if (word === undefined) throw unexpected(bytes, start);
  let at = start;
  for (const byte of word) {
    if (bytes[at] !== byte) throw unexpected(bytes, at);
    at++;
  }
  return at;
}

function unexpected(bytes: Buffer, at: number): JsonScanError {
  const isAtEnd = at >= bytes.length;
  return new JsonScanError(isAtEnd ? 'The JSON ends too early.' : `The JSON is not valid at byte ${at}.`);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}
