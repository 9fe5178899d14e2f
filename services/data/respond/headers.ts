/**
 * Response headers: those that functions set (`response.headers`, `response.status`), and Location and
 * Content-Location. Names are in lower case.
 */
import { LRUCache } from 'lru-cache';
import { copyString } from '../copy-string.ts';
import { failure } from '../errors.ts';
import { type Header, headerBytes, headerProblem, isFinalStatus } from '../headers.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';

/** The header Vary of every response except errors, unless a function sets another. */
export const VARY: Header = ['vary', 'Accept, Prefer, Range'];

/**
 * Parses the headers that a function set: JSON text like `[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]`.
 * @param setting value of `response.headers`; empty or undefined if it was not set
 * @throws PGRST111
 */
export function parseResponseHeaders(setting: string | undefined): Header[] {
  if (setting === undefined || setting === '') return [];
  const list = parsedList(setting);
  return list.map((item) => {
    const [entry, ...others] = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    if (entry === undefined || others.length > 0 || Array.isArray(item)) throw failure('PGRST111');
    const [name, value] = entry;
    if (typeof value !== 'string') throw failure('PGRST111');
    const problem = headerProblem([name, value]);
    if (problem !== undefined) throw failure('PGRST111', { extra: { details: problem } });
    return [name.toLowerCase(), headerBytes(value)];
  });
}

function parsedList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Reported below, together with JSON that is not a list.
  }
  throw failure('PGRST111');
}

/**
 * Parses the status that a function set. Ignores text after the number, e.g. `404 Not Found`.
 * @param setting value of `response.status`; empty or undefined if it was not set
 * @throws PGRST112
 */
export function parseResponseStatus(setting: string | undefined): number | undefined {
  if (setting === undefined || setting === '') return undefined;
  const status = Number(/^\d+/.exec(setting)?.[0] ?? Number.NaN);
  if (!isFinalStatus(status)) throw failure('PGRST112');
  return status;
}

/**
 * Replaces headers: returns `own` without the names in `overrides`, followed by `overrides`. Names are
 * case-insensitive.
 */
export function overrideHeaders(own: readonly Header[], overrides: readonly Header[]): readonly Header[] {
  if (overrides.length === 0) return own;
  const isOverridden = (name: string) =>
    overrides.some(([each]) => each.toLowerCase() === name.toLowerCase());
  return [...own.filter(([name]) => !isOverridden(name)), ...overrides];
}

/** A longer location is omitted, because clients reject responses with very long headers (Node.js: 16 KiB). */
const MAX_LOCATION_CHARACTERS = 4096;

/** Returns the header for a location, or an empty list if it would be too long. */
export function locationHeader(name: 'location' | 'content-location', location: string): Header[] {
  return location.length > MAX_LOCATION_CHARACTERS ? [] : [[name, location]];
}

/** A column of the primary key of a row, and its value as text. */
type KeyValue = readonly [column: string, value: string | null];

/**
 * Parses the column `location` of the outcome of a write: a JSON array with the text of each column of the primary key.
 * Returns undefined if the statement returned no location.
 */
export function readLocation(
  { relation }: { relation: Pick<Relation, 'primaryKey'> },
  location: string | undefined,
): readonly KeyValue[] | undefined {
  if (location === undefined) return undefined;
  const values: (string | null)[] = JSON.parse(location);
  return relation.primaryKey.map((column, index) => [column, values[index] ?? null]);
}

/** Returns the URL of an inserted row, for example `/films?id=eq.7`. */
export function locationOf(relation: string, key: readonly KeyValue[]): string {
  const parameters = key.map(([column, value]): [string, string] => [
    column,
    value === null ? 'is.null' : `eq.${value}`,
  ]);
  return `/${percentEncoded(relation)}${queryString(parameters)}`;
}

/**
 * Returns the canonical URL of a read: the path and all parameters, sorted by name. Parameters of the same name keep their
 * order.
 * @param parameters decoded; a parameter without `=` has an empty value
 */
export function contentLocationOf(
  relation: string,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const sorted = parameters.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `/${percentEncoded(relation)}${queryString(sorted)}`;
}

function queryString(parameters: readonly (readonly [string, string])[]): string {
  let encoded = '';
  for (const [name, value] of parameters) {
    const list = name === 'select' ? encodedList(value) : percentEncoded(value);
    encoded += `${encoded === '' ? '?' : '&'}${percentEncoded(name)}=${list}`;
  }
  return encoded;
}

/** Total length of the cached lists and their encodings. */
const CACHED_CHARACTERS = 128 * 1024;
const encodedLists = new LRUCache<string, string>({ maxSize: CACHED_CHARACTERS });

/**
 * Caches the encoding of select lists: clients send the same few lists repeatedly, and up to every second character must be
 * encoded.
 */
function encodedList(list: string): string {
  const known = encodedLists.get(list);
  if (known !== undefined) return known;
  const key = copyString(list);
  const encoded = percentEncoded(key);
  encodedLists.set(key, encoded, { size: key.length + encoded.length + 1 });
  return encoded;
}

/** Percent-encodings of ASCII characters by code; undefined for the unreserved characters of RFC 3986 §2.3. */
const SEQUENCES = Array.from({ length: 0x80 }, (_, code) =>
  /[\w.~-]/.test(String.fromCharCode(code)) ? undefined : sequenceOf(code),
);

/** Percent-encodes the UTF-8 bytes of all characters except the unreserved ones of RFC 3986 §2.3. */
function percentEncoded(text: string): string {
  let encoded = '';
  let start = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code >= SEQUENCES.length) return Array.from(Buffer.from(text), encodedByte).join('');
    const sequence = SEQUENCES[code];
    if (sequence === undefined) continue;
    encoded += text.slice(start, position) + sequence;
    start = position + 1;
  }
  return start === 0 ? text : encoded + text.slice(start);
}

function encodedByte(byte: number): string {
  return byte < SEQUENCES.length ? (SEQUENCES[byte] ?? String.fromCharCode(byte)) : sequenceOf(byte);
}

function sequenceOf(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
