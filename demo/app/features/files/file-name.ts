/**
 * Names of files, and their storage keys. Storage accepts few characters in keys, and its lists contain
 * nothing but keys. Therefore, a segment of a key is the name itself, with every other byte of its UTF-8
 * encoded as `=` and two hexadecimal digits, as in quoted-printable (RFC 2045 section 6.7). Pure functions.
 *
 * segment = 1*( ALPHA / DIGIT / "_" / "-" / "." / " " / "(" / ")" / "," / "!" / escape )
 * escape  = "=" 2HEXDIG
 */
import { cleanName } from 'greenroom/app';

/** File systems below storage accept 255 bytes per segment, and some stores append a suffix. */
export const MAX_SEGMENT_BYTES = 200;

const PLAIN = /^[A-Za-z0-9_\-. (),!]$/;
const SEGMENT = /^(?:[A-Za-z0-9_\-. (),!]|=[0-9A-F]{2})+$/;
/** The last extension, unless it is the whole name; a longer ending is no extension. */
const EXTENSION = /(?<=.)\.[\p{L}\p{N}]{1,12}$/u;

/** Normalizes a name: in one line, composed (NFC), trimmed. Empty if nothing remains. */
export function normalizeName(name: string): string {
  return cleanName(name.toWellFormed().normalize('NFC'));
}

/**
 * Returns the key segment of a normalized name. A name that is too long is shortened before its extension.
 */
export function toSegment(name: string): string {
  const encoded = encode(name);
  if (encoded.length <= MAX_SEGMENT_BYTES) return encoded;
  const { base, end } = splitName(name);
  const letters = [...base];
  while (letters.length > 0) {
    letters.pop();
    const shorter = encode(`${letters.join('').trimEnd()}…${end}`);
    if (shorter.length <= MAX_SEGMENT_BYTES) return shorter;
  }
  return encode(end);
}

/** Returns the name that a segment encodes. A segment that the app did not create is its own name. */
export function toName(segment: string): string {
  if (!SEGMENT.test(segment)) return segment;
  const bytes = segment.replaceAll('=', '%');
  try {
    return decodeURIComponent(bytes);
  } catch {
    return segment;
  }
}

/**
 * Returns an alternative for a name that is taken: `plan.pdf`, `plan (2).pdf`, `plan (3).pdf`. `count`
 * starts at 1.
 */
export function numberedName(name: string, count: number): string {
  if (count <= 1) return name;
  const { base, end } = splitName(name);
  return `${base} (${count})${end}`;
}

/**
 * Returns the smallest `count` for which the name is free. Ignores case, since storage lists are
 * case-insensitive.
 */
export function freeNumber(name: string, taken: readonly string[]): number {
  const names = new Set(taken.map((each) => each.toLowerCase()));
  let count = 1;
  while (names.has(toName(toSegment(numberedName(name, count))).toLowerCase())) count += 1;
  return count;
}

/** Maximum depth of nested folders. */
const MAX_DEPTH = 10;

/**
 * Parses a folder of a URL or a form: segments separated by slashes; empty for the root folder. Undefined
 * if it is invalid.
 */
export function parseFolder(folder: string): string | undefined {
  return folder === '' ? '' : parseSegments(folder, MAX_DEPTH);
}

/** Parses the path of an entry, which may be in the deepest folder. */
export function parsePath(path: string): string | undefined {
  return parseSegments(path, MAX_DEPTH + 1);
}

function parseSegments(path: string, maxDepth: number): string | undefined {
  const segments = path.split('/');
  return segments.length <= maxDepth && segments.every(isSegment) ? path : undefined;
}

/** Returns whether the folder exceeds the maximum depth. */
export function isTooDeep(folder: string): boolean {
  return folder.split('/').length > MAX_DEPTH;
}

/** Returns whether the app could have created this segment. */
export function isSegment(segment: string): boolean {
  return segment.length <= MAX_SEGMENT_BYTES && SEGMENT.test(segment) && !segment.startsWith('.');
}

/** Appends a segment to a folder's path. */
export function joinPath(folder: string, segment: string): string {
  return folder === '' ? segment : `${folder}/${segment}`;
}

/** Returns the folder of a path. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function segmentOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Splits a name into base and extension. */
function splitName(name: string): { base: string; end: string } {
  const end = EXTENSION.exec(name)?.[0] ?? '';
  return { base: name.slice(0, name.length - end.length), end };
}

const UTF8 = new TextEncoder();

/**
 * Encodes a name. A leading dot is escaped, so that users cannot create hidden names, `..` or the
 * placeholder of an empty folder.
 */
function encode(name: string): string {
  return [...name].map((letter, index) => (isPlain(letter, index) ? letter : escapeBytes(letter))).join('');
}

function isPlain(letter: string, index: number): boolean {
  return PLAIN.test(letter) && !(index === 0 && letter === '.');
}

function escapeBytes(letter: string): string {
  return Array.from(
    UTF8.encode(letter),
    (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
