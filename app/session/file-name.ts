/**
 * Names of files, and the keys that they are stored under. Storage keeps few characters, and its lists tell nothing but
 * keys: so a segment of a key is the name itself, with every other byte of its UTF-8 as `=` and two hexadecimal digits,
 * as in quoted-printable (RFC 2045 section 6.7). Pure.
 *
 * segment = 1*( ALPHA / DIGIT / "_" / "-" / "." / " " / "(" / ")" / "," / "!" / escape )
 * escape  = "=" 2HEXDIG
 */
import { cleanName } from './person-name.ts';

/** File systems below storage keep 255 bytes of a segment, some of them with a suffix of their own. */
export const MAX_SEGMENT_BYTES = 200;

const PLAIN = /^[A-Za-z0-9_\-. (),!]$/;
const SEGMENT = /^(?:[A-Za-z0-9_\-. (),!]|=[0-9A-F]{2})+$/;
/** The last one, unless it is all there is; what is longer is no type. */
const EXTENSION = /(?<=.)\.[\p{L}\p{N}]{1,12}$/u;

/** A name as it is kept: in one line, composed, without spaces around it. Empty where nothing is left. */
export function tidyName(name: string): string {
  return cleanName(name.toWellFormed().normalize('NFC'));
}

/** The segment of a key for a tidy name. A name that is too long loses the end of what is before its extension. */
export function toSegment(name: string): string {
  const whole = encode(name);
  if (whole.length <= MAX_SEGMENT_BYTES) return whole;
  const { base, end } = splitName(name);
  const letters = [...base];
  while (letters.length > 0) {
    letters.pop();
    const shorter = encode(`${letters.join('').trimEnd()}…${end}`);
    if (shorter.length <= MAX_SEGMENT_BYTES) return shorter;
  }
  return encode(end);
}

/** The name that a segment stands for; a segment that others have made is its own name. */
export function toName(segment: string): string {
  if (!SEGMENT.test(segment)) return segment;
  const bytes = segment.replaceAll('=', '%');
  try {
    return decodeURIComponent(bytes);
  } catch {
    return segment;
  }
}

/** `plan.pdf`, `plan (2).pdf`, `plan (3).pdf`: another name for a file whose name is taken. `count` starts at 1. */
export function numberedName(name: string, count: number): string {
  if (count <= 1) return name;
  const { base, end } = splitName(name);
  return `${base} (${count})${end}`;
}

/** The first number from which on a name is free. Case does not count: lists of storage do not look at it. */
export function freeNumber(name: string, taken: readonly string[]): number {
  const names = new Set(taken.map((each) => each.toLowerCase()));
  let count = 1;
  while (names.has(toName(toSegment(numberedName(name, count))).toLowerCase())) count += 1;
  return count;
}

/** Most folders that lie in each other. */
const MAX_DEPTH = 10;

/** A folder as addresses and forms say it: segments with slashes between; empty for the topmost. Undefined where it is none. */
export function parseFolder(folder: string): string | undefined {
  return folder === '' ? '' : parseSegments(folder, MAX_DEPTH);
}

/** The same for an entry, which may lie in the deepest folder. */
export function parsePath(path: string): string | undefined {
  return parseSegments(path, MAX_DEPTH + 1);
}

function parseSegments(path: string, most: number): string | undefined {
  const segments = path.split('/');
  return segments.length <= most && segments.every(isSegment) ? path : undefined;
}

/** Tells whether a folder of that path may be made. */
export function isTooDeep(folder: string): boolean {
  return folder.split('/').length > MAX_DEPTH;
}

/** Tells whether it is a segment that we could have made. */
export function isSegment(segment: string): boolean {
  return segment.length <= MAX_SEGMENT_BYTES && SEGMENT.test(segment) && !segment.startsWith('.');
}

/** A path below a folder. */
export function below(folder: string, segment: string): string {
  return folder === '' ? segment : `${folder}/${segment}`;
}

/** The folder that a path lies in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last segment of a path. */
export function segmentOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Splits off the extension, and the number that may stand before it. */
function splitName(name: string): { base: string; end: string } {
  const end = EXTENSION.exec(name)?.[0] ?? '';
  return { base: name.slice(0, name.length - end.length), end };
}

const UTF8 = new TextEncoder();

/** A dot in front is escaped: hidden names, `..` and the sign of an empty folder are not for people to make. */
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
