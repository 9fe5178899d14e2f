/** The keys of config.toml that are known, as a tree, and the search for unknown and outdated ones. */
import type { ConfigKey } from '@greenroom/config';
import { type ConfigDocument, type ConfigTable, isTable } from './document.ts';

/** The part of a declaration that names keys. */
export type KeyNames = Pick<ConfigKey, 'key' | 'formerKeys' | 'members'>;

/** Stands for any name, e.g. that of a bucket. */
const ANY = '<name>';
/** Names differ at most by this share of their letters to be similar. */
const MAX_DIFFERENCE = 0.5;

/** A known table; a leaf has no entries. */
interface KnownTable {
  readonly entries: Map<string, KnownTable>;
}

/** An unknown key. */
interface UnknownKey {
  path: readonly string[];
  /** The most similar known key of the same table. */
  nearest: string | undefined;
}

/** An outdated spelling. */
interface FormerKey {
  path: readonly string[];
  current: string;
}

/** Returns the names of a declared key on the reference page, e.g. `db.vault.<name>`: one, or those of its members. */
export function documentedNames({
  key,
  members,
  documentedAs = key,
}: KeyNames & Pick<ConfigKey, 'documentedAs'>): string[] {
  if (members === undefined) return [documentedAs];
  return (members === 'any' ? [ANY] : members).map((member) => `${key}.${member}`);
}

/** Returns the unknown keys of a document. A table without any known key counts as one unknown key. */
export function findUnknownKeys({ values }: ConfigDocument, keys: readonly KeyNames[]): UnknownKey[] {
  return unknownIn(values, knownTree(keys), []);
}

/** Returns the outdated spellings that a document uses. */
export function findFormerKeys({ values }: ConfigDocument, keys: readonly KeyNames[]): FormerKey[] {
  return keys.flatMap(({ key, formerKeys = [] }) =>
    formerKeys
      .map((former) => former.split('.'))
      .flatMap((path) => (has(values, path) ? [{ path, current: key }] : [])),
  );
}

function knownTree(keys: readonly KeyNames[]): KnownTable {
  const root: KnownTable = { entries: new Map() };
  for (const { key, formerKeys = [], members } of keys) {
    for (const path of [key, ...formerKeys].map((each) => each.split('.'))) {
      const table = insert(root, path);
      for (const member of members === 'any' ? [ANY] : (members ?? [])) insert(table, [member]);
    }
  }
  return root;
}

function insert(root: KnownTable, path: readonly string[]): KnownTable {
  let table = root;
  for (const name of path) {
    const next = table.entries.get(name) ?? { entries: new Map() };
    table.entries.set(name, next);
    table = next;
  }
  return table;
}

function unknownIn(table: ConfigTable, known: KnownTable, path: readonly string[]): UnknownKey[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const entry = known.entries.get(name) ?? known.entries.get(ANY);
    if (entry === undefined) return [{ path: [...path, name], nearest: nearestName(name, known, path) }];
    // A leaf may have any value, e.g. one whose keys are not Greenroom's to check.
    return isTable(value) && entry.entries.size > 0 ? unknownIn(value, entry, [...path, name]) : [];
  });
}

function nearestName(name: string, known: KnownTable, path: readonly string[]): string | undefined {
  const candidates = [...known.entries.keys()]
    .filter((candidate) => candidate !== ANY)
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= MAX_DIFFERENCE * Math.max(name.length, candidate.length))
    .toSorted((one, other) => one.distance - other.distance);
  const [nearest] = candidates;
  return nearest && [...path, nearest.candidate].join('.');
}

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, candidate] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function has(table: ConfigTable, [name = '', ...rest]: readonly string[]): boolean {
  if (!Object.hasOwn(table, name)) return false;
  const value = table[name];
  return rest.length === 0 || (isTable(value) && has(value, rest));
}
