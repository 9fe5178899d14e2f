/**
 * Headers of answers: those that functions set (`response.headers`, `response.status`), and those that say where rows
 * are. Names are in lower case.
 */
import { LRUCache } from 'lru-cache';
import { failure } from '../errors.ts';
import { type Header, headerBytes, headerProblem, isFinalStatus } from '../headers.ts';
import { ownText } from '../own-text.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';

/** Of every answer that is no error, unless a function sets another: what it depends on. */
export const VARY: Header = ['vary', 'Accept, Prefer, Range'];

/**
 * Headers that a function set: JSON text like `[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]`.
 * @param setting value of `response.headers`; empty or undefined where it was not set
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
    // Said below.
  }
  throw failure('PGRST111');
}

/**
 * The status that a function set. Text after the number does not matter, e.g. `404 Not Found`.
 * @param setting value of `response.status`; empty or undefined where it was not set
 * @throws PGRST112
 */
export function parseResponseStatus(setting: string | undefined): number | undefined {
  if (setting === undefined || setting === '') return undefined;
  const status = Number(/^\d+/.exec(setting)?.[0] ?? Number.NaN);
  if (!isFinalStatus(status)) throw failure('PGRST112');
  return status;
}

/** The headers `own` without those that `overrides` has, and then all of `overrides`. Names match in any case. */
export function overrideHeaders(own: readonly Header[], overrides: readonly Header[]): readonly Header[] {
  if (overrides.length === 0) return own;
  const isOverridden = (name: string) =>
    overrides.some(([each]) => each.toLowerCase() === name.toLowerCase());
  return [...own.filter(([name]) => !isOverridden(name)), ...overrides];
}

/** A longer one is left out: clients give up on answers whose headers are too long, Node.js at 16 KiB. */
const MAX_LOCATION_CHARACTERS = 4096;

/** The header that says where something is; none where it would be too long. */
export function locationHeader(name: 'location' | 'content-location', location: string): Header[] {
  return location.length > MAX_LOCATION_CHARACTERS ? [] : [[name, location]];
}

/** A column of the primary key of a row, and its value as text. */
type KeyValue = readonly [column: string, value: string | null];

/**
 * Reads the column `location` of a write's outcome: a JSON array of texts, one for each column of the primary key. Undefined
 * where the statement returns none.
 */
export function readLocation(
  { relation }: { relation: Pick<Relation, 'primaryKey'> },
  location: string | undefined,
): readonly KeyValue[] | undefined {
  if (location === undefined) return undefined;
  const values: (string | null)[] = JSON.parse(location);
  return relation.primaryKey.map((column, index) => [column, values[index] ?? null]);
}

/** Where an inserted row is: `/films?id=eq.7`. */
export function locationOf(relation: string, key: readonly KeyValue[]): string {
  const parameters = key.map(([column, value]): [string, string] => [
    column,
    value === null ? 'is.null' : `eq.${value}`,
  ]);
  return `/${percentEncoded(relation)}${queryString(parameters)}`;
}

/**
 * What was read: the path and all parameters, sorted by their names. Parameters of one name keep their order.
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

/** Characters of the lists that are remembered. */
const REMEMBERED_CHARACTERS = 128 * 1024;
const remembered = new LRUCache<string, string>({ maxSize: REMEMBERED_CHARACTERS });

/** Clients ask for the same few lists again and again, of which every second character may have to be encoded. */
function encodedList(list: string): string {
  const known = remembered.get(list);
  if (known !== undefined) return known;
  const own = ownText(list);
  const encoded = percentEncoded(own);
  remembered.set(own, encoded, { size: own.length + encoded.length + 1 });
  return encoded;
}

/** By code, what stands for a character of ASCII; undefined for the unreserved ones of RFC 3986 §2.3. */
const SEQUENCES = Array.from({ length: 0x80 }, (_, code) =>
  /[\w.~-]/.test(String.fromCharCode(code)) ? undefined : sequenceOf(code),
);

/** Everything but the unreserved characters of RFC 3986 §2.3, as bytes of UTF-8. */
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
