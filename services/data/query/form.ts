/**
 * Form decoding: which parameters a raw query string has. Stricter than browsers are: what is no UTF-8, or cannot be
 * text in PostgreSQL, is refused and not repaired.
 */
import { MAX_QUERY_CHARACTERS } from './limits.ts';
import { QuerySyntaxError } from './syntax-error.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const NUL = 0;

const WHAT = 'query string';

/**
 * Calls `visit` with every parameter, in order and decoded. Those without `=` are left out.
 *
 * @param raw what follows the `?` of a URL
 * @throws QuerySyntaxError if a percent sign is not followed by two hexadecimal digits, if bytes are no UTF-8, at NUL
 *   characters, and if it is too long
 */
export function forEachParameter(raw: string, visit: (key: string, value: string) => void): void {
  if (raw.length > MAX_QUERY_CHARACTERS) {
    throw new QuerySyntaxError(
      MAX_QUERY_CHARACTERS + 1,
      WHAT,
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
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const at = malformedAt(text);
    return refuse(raw, start + at.position, at.reason);
  }
  if (!decoded.isWellFormed()) return refuse(raw, start, 'unexpected half of a character expecting UTF-8');
  if (decoded.includes('\0')) return refuse(raw, start, 'unexpected NUL character expecting text');
  return decoded;
}

/** Where a text that could not be decoded went wrong: its first percent sequence that says nothing. */
function malformedAt(text: string): { position: number; reason: string } {
  let position = text.indexOf('%');
  while (position !== -1) {
    const sequence = text.slice(position, position + 3);
    if (!/^%[0-9a-f]{2}$/i.test(sequence)) {
      return { position, reason: `unexpected "${sequence}" expecting "%" and two hexadecimal digits` };
    }
    const length = utf8Length(text, position);
    if (length === 0) return { position, reason: `unexpected "${sequence}" expecting UTF-8` };
    position = text.indexOf('%', position + length);
  }
  return { position: 0, reason: 'unexpected half of a character expecting UTF-8' };
}

/** Characters of the percent sequences of one UTF-8 character, or 0 where they are none. */
function utf8Length(text: string, position: number): number {
  for (const length of [3, 6, 9, 12]) {
    try {
      decodeURIComponent(text.slice(position, position + length));
      return length;
    } catch {
      // Not complete yet, or wrong whatever follows.
    }
  }
  return 0;
}

function refuse(raw: string, offset: number, reason: string): never {
  throw new QuerySyntaxError(offset + 1, WHAT, raw, reason);
}
