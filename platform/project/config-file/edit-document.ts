/**
 * Changes one value in the text of `supabase/config.toml`. All other text stays as it is, with its comments, order and line ends.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ConfigValue } from '@greenroom/config';
import { type ConfigTable, isTable, parseConfigDocument, valueAt } from './document.ts';
import { scanToml, type TomlHeader, type TomlPair } from './scan-toml.ts';

/** The file has a structure in which the key cannot be changed; the operator has to edit it. */
export class ConfigEditError extends Error {
  override readonly name = 'ConfigEditError';
}

const FILE = 'config.toml';
const BARE_KEY = /^[A-Za-z0-9_-]+$/;
const MAX_LIST_LENGTH = 80;

/**
 * Returns the text with a value at a path; undefined removes the key.
 * @throws ConfigFileError if the text is not valid
 * @throws ConfigEditError if the edit would change another value, e.g. a key within a list of tables
 */
export function editConfigText(
  text: string,
  path: readonly string[],
  value: ConfigValue | undefined,
): string {
  const former = parseConfigDocument(text, FILE).values;
  if (isDeepStrictEqual(valueAt(former, path), value)) return text;
  if (isTable(valueAt(former, path)) || hasValueAround(former, path)) throw refusal(path);
  const edited = value === undefined ? withoutKey(text, path) : withValue(text, path, value);
  if (!hasOnlyChange(former, edited, path, value)) throw refusal(path);
  return edited;
}

function refusal(path: readonly string[]): ConfigEditError {
  return new ConfigEditError(`${path.join('.')} cannot be changed automatically. Edit the file.`);
}

/** Whether a part of the path is a value without keys, or a list of tables. */
function hasValueAround(table: ConfigTable, path: readonly string[]): boolean {
  return path.slice(0, -1).some((_, index) => {
    const around = valueAt(table, path.slice(0, index + 1));
    return around !== undefined && !isTable(around);
  });
}

/** The check that makes a mistake of this module harmless: the edited text is parsed and compared. */
function hasOnlyChange(
  former: ConfigTable,
  edited: string,
  path: readonly string[],
  value: ConfigValue | undefined,
): boolean {
  try {
    const values = parseConfigDocument(edited, FILE).values;
    return isDeepStrictEqual(withoutEmptyTables(values), withoutEmptyTables(changed(former, path, value)));
  } catch {
    return false;
  }
}

function changed(table: ConfigTable, path: readonly string[], value: ConfigValue | undefined): ConfigTable {
  const [key = '', ...rest] = path;
  const { [key]: own, ...others } = table;
  if (rest.length === 0) return value === undefined ? others : { ...others, [key]: value };
  return { ...others, [key]: changed(isTable(own) ? own : {}, rest, value) };
}

function withoutEmptyTables(table: ConfigTable): ConfigTable {
  const entries = Object.entries(table).flatMap(([key, value]): [string, ConfigValue][] => {
    if (!isTable(value)) return [[key, value]];
    const members = withoutEmptyTables(value);
    return Object.keys(members).length === 0 ? [] : [[key, members]];
  });
  return Object.fromEntries(entries);
}

function withValue(text: string, path: readonly string[], value: ConfigValue): string {
  const found = scanToml(text);
  const pair = found.find((each) => isPair(each) && isSame(each.path, path) && !each.isInList);
  if (pair?.kind === 'pair') return splice(text, pair.valueStart, pair.valueEnd, writtenValue(value));
  const around = found.find((each): each is TomlPair => isPair(each) && startsWith(path, each.path));
  if (around !== undefined) return withInlinePair(text, found, around, { path, value });
  return withPair(text, found, path, value);
}

/** Adds a key to an inline table. */
function withInlinePair(
  text: string,
  found: readonly (TomlHeader | TomlPair)[],
  around: TomlPair,
  { path, value }: { path: readonly string[]; value: ConfigValue },
): string {
  const added = `${writtenKey(path.slice(around.path.length))} = ${writtenValue(value)}`;
  const last = found.findLast((each) => isPair(each) && each.isInline && isSame(each.table, around.path));
  if (last?.kind === 'pair') return splice(text, last.valueEnd, last.valueEnd, `, ${added}`);
  return splice(text, around.valueStart, around.valueEnd, `{ ${added} }`);
}

/** A part of the document: the header of a table, undefined for the root, and its pairs. */
interface Section {
  table: readonly string[];
  header: TomlHeader | undefined;
  pairs: TomlPair[];
}

/** Adds a line to the table of the key, or a new table. */
function withPair(
  text: string,
  found: readonly (TomlHeader | TomlPair)[],
  path: readonly string[],
  value: ConfigValue,
): string {
  const sections = sectionsOf(found);
  const parent = path.slice(0, -1);
  const own = sections.find(({ table, header }) => header !== undefined && isSame(table, parent));
  if (own !== undefined) return withLine(text, own, own.pairs.at(-1), path, value);
  const dotted = dottedTable(sections, path);
  if (dotted !== undefined) return withLine(text, dotted.section, dotted.pair, path, value);
  const root = sections[0];
  if (parent.length === 0 && root !== undefined) return withLine(text, root, root.pairs.at(-1), path, value);
  return withSection(text, sections, path, value);
}

function sectionsOf(found: readonly (TomlHeader | TomlPair)[]): Section[] {
  const sections: Section[] = [{ table: [], header: undefined, pairs: [] }];
  for (const each of found) {
    if (each.kind === 'header') sections.push({ table: each.path, header: each, pairs: [] });
    else if (!each.isInline) sections.at(-1)?.pairs.push(each);
  }
  return sections;
}

/** Finds the last pair whose dotted key defines a table around the key: such a table has no header. */
function dottedTable(sections: readonly Section[], path: readonly string[]) {
  const candidates = sections.flatMap((section) =>
    section.pairs.flatMap((pair) => {
      const depth = commonLength(pair.path, path);
      const isWithin = startsWith(path, section.table) && section.header?.isArray !== true;
      return isWithin && depth > section.table.length ? [{ section, pair, depth }] : [];
    }),
  );
  return candidates.toSorted((one, other) => one.depth - other.depth).at(-1);
}

/** Adds a line behind a pair of a section, or behind its header. */
function withLine(
  text: string,
  { table, header }: Section,
  after: TomlPair | undefined,
  path: readonly string[],
  value: ConfigValue,
): string {
  const line = `${writtenKey(path.slice(table.length))} = ${writtenValue(value)}`;
  if (after !== undefined)
    return withLineAt(text, endOfLine(text, after.valueEnd), indentationAt(text, after.start) + line);
  if (header !== undefined) return withLineAt(text, endOfLine(text, header.end), line);
  // A root without keys: before everything else, because each later line may belong to a table.
  return withLineAt(text, text.startsWith('\uFEFF') ? 1 : 0, line);
}

/** Adds a table with one key behind the closest related table, or at the end. */
function withSection(
  text: string,
  sections: readonly Section[],
  path: readonly string[],
  value: ConfigValue,
): string {
  const parent = path.slice(0, -1);
  const lengths = sections.map(({ table }) => commonLength(table, parent));
  const longest = Math.max(...lengths);
  const last = longest === 0 ? sections.at(-1) : sections[lengths.lastIndexOf(longest)];
  const anchor = last?.pairs.at(-1)?.valueEnd ?? last?.header?.end ?? text.length;
  const at = longest === 0 ? text.length : endOfLine(text, anchor);
  const line = `${writtenKey(path.slice(-1))} = ${writtenValue(value)}`;
  const isFirst = text.slice(0, at).trim() === '';
  const newline = lineEndOf(text);
  return withLineAt(text, at, `${isFirst ? '' : newline}[${writtenKey(parent)}]${newline}${line}`);
}

function withoutKey(text: string, path: readonly string[]): string {
  const found = scanToml(text);
  const pair = found.find((each) => isPair(each) && isSame(each.path, path) && !each.isInList);
  if (pair?.kind !== 'pair') return text;
  if (pair.isInline) return withoutInlinePair(text, found, pair);
  const lineStart = text.lastIndexOf('\n', pair.start) + 1;
  const comment = /^[ \t]*(#[^\r\n]*)/.exec(text.slice(pair.valueEnd))?.[1];
  if (comment !== undefined) return splice(text, pair.start, text.indexOf(comment, pair.valueEnd), '');
  return splice(text, lineStart, endOfLine(text, pair.valueEnd), '');
}

/** Removes a pair with the comma in front of it or, for the first pair, behind it. */
function withoutInlinePair(text: string, found: readonly (TomlHeader | TomlPair)[], pair: TomlPair): string {
  const siblings = found.filter(
    (each): each is TomlPair => isPair(each) && each.isInline && isSame(each.table, pair.table),
  );
  const index = siblings.indexOf(pair);
  const former = siblings[index - 1];
  if (former !== undefined) return splice(text, former.valueEnd, pair.valueEnd, '');
  const next = siblings[index + 1];
  return splice(text, pair.start, next?.start ?? pair.valueEnd, '');
}

function isPair(each: TomlHeader | TomlPair): each is TomlPair {
  return each.kind === 'pair';
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return commonLength(path, start) === start.length;
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((part, index) => part !== other[index]);
  return different === -1 ? one.length : different;
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** Inserts a line at the start of a line, or at the end of the document. */
function withLineAt(text: string, at: number, line: string): string {
  const newline = lineEndOf(text);
  const before = text.slice(0, at);
  const isLineStart = before === '' || before === '\uFEFF' || before.endsWith('\n');
  return `${before}${isLineStart ? '' : newline}${line}${newline}${text.slice(at)}`;
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the index behind the line break of the line. */
function endOfLine(text: string, index: number): number {
  const lineBreak = text.indexOf('\n', index);
  return lineBreak === -1 ? text.length : lineBreak + 1;
}

function indentationAt(text: string, index: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', index) + 1, index))?.[0] ?? '';
}

function writtenKey(path: readonly string[]): string {
  return path.map((part) => (BARE_KEY.test(part) ? part : writtenText(part))).join('.');
}

function writtenValue(value: ConfigValue): string {
  if (typeof value === 'string') return writtenText(value);
  if (typeof value !== 'object') return String(value);
  if (isTable(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${writtenKey([key])} = ${writtenValue(member)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  const items = (value as readonly ConfigValue[]).map(writtenValue);
  const line = `[${items.join(', ')}]`;
  return line.length <= MAX_LIST_LENGTH ? line : `[\n${items.map((item) => `  ${item},\n`).join('')}]`;
}

/** The escapes of JSON are escapes of TOML, which also forbids DEL. */
function writtenText(text: string): string {
  if (!text.isWellFormed()) throw new ConfigEditError('a text has half of a surrogate pair');
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}
