/**
 * Decodes the parameters of a raw query string. It is stricter than browsers: it rejects text that is not UTF-8 or that
 * PostgreSQL cannot store, instead of repairing it.
 */
import { decodeFormText } from '../form-decoding.ts';
import { MAX_QUERY_CHARACTERS } from './limits.ts';
import { QuerySyntaxError } from './syntax-error.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const NUL = 0;

const SOURCE = 'query string';

/**
 * Calls `visit` with each decoded parameter in order. Skips parameters without `=`.
 *
 * @param raw the text after the `?` of a URL
 * @throws QuerySyntaxError if bytes are not UTF-8, if the text contains NUL, or if it is too long
 */
export function forEachParameter(raw: string, visit: (key: string, value: string) => void): void {
  if (raw.length > MAX_QUERY_CHARACTERS) {
    throw new QuerySyntaxError(
      MAX_QUERY_CHARACTERS + 1,
      SOURCE,
      raw,
      `at most ${MAX_QUERY_CHARACTERS} characters`,
    );
  }
  let start = 0;
  let equals = -1;
  let isEncoded = false;
  for (let position = 0; position <= raw.length; position += 1) {
    const code = position === raw.length ? AMPERSAND : raw.charCodeAt(position);
    if (code === EQUALS) {
      if (equals === -1) equals = position;
    } else if (code === PERCENT || code === PLUS || code === NUL || code >= 0x80) {
      isEncoded = true;
    } else if (code === AMPERSAND) {
      if (equals !== -1) {
        if (isEncoded) visit(decode(raw, start, equals), decode(raw, equals + 1, position));
        else visit(raw.slice(start, equals), raw.slice(equals + 1, position));
      }
      start = position + 1;
      equals = -1;
      isEncoded = false;
    }
  }
}

function decode(raw: string, start: number, end: number): string {
  const text = raw.slice(start, end);
  const decoded = decodeFormText(text);
  if (decoded === undefined) {
    const at = malformedAt(text);
    return refuse(raw, start + at.position, at.reason);
  }
  if (!decoded.isWellFormed()) return refuse(raw, start, 'unexpected lone surrogate expecting UTF-8');
  if (decoded.includes('\0')) return refuse(raw, start, 'unexpected NUL character expecting text');
  return decoded;
}

/** Returns the position and the reason of the first percent sequence that is not UTF-8, in a text that has one. */
function malformedAt(text: string): { position: number; reason: string } {
  let position = text.indexOf('%');
  while (position !== -1) {
    const sequence = text.slice(position, position + 3);
    // Other percent signs stand for themselves.
    const length = /^%[0-9a-f]{2}$/i.test(sequence) ? utf8Length(text, position) : 1;
    if (length === 0) return { position, reason: `unexpected "${sequence}" expecting UTF-8` };
    position = text.indexOf('%', position + length);
  }
  return { position: 0, reason: 'unexpected lone surrogate expecting UTF-8' };
}

/** Returns the length of the percent sequences of one UTF-8 character, or 0 if they are invalid. */
function utf8Length(text: string, position: number): number {
  for (const length of [3, 6, 9, 12]) {
    try {
      decodeURIComponent(text.slice(position, position + length));
      return length;
    } catch {
      // The sequence is incomplete or invalid: try a longer one.
    }
  }
  return 0;
}

function refuse(raw: string, offset: number, reason: string): never {
  throw new QuerySyntaxError(offset + 1, SOURCE, raw, reason);
}
