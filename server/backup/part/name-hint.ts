/** Names in messages about a name that does not exist. */
import { printable } from '@greenroom/log/printable';

const MAX_NAMES = 20;
const MAX_EDITS = 2;

/** Returns `Similar: …` with the names that are like the wanted one, otherwise `It has: …` with the first names. */
export function nameHint(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return 'It has none.';
  const similar = names.filter((name) => isSimilar(plain(wanted), plain(name)));
  const shown = (similar.length > 0 ? similar : names).slice(0, MAX_NAMES);
  const count = (similar.length > 0 ? similar : names).length - shown.length;
  return `${similar.length > 0 ? 'Similar' : 'It has'}: ${shown.map((name) => printable(name)).join(', ')}${count > 0 ? ` and ${count} more` : ''}`;
}

/** Without schema, quotes and capitals: wrong names often differ only in these. */
function plain(name: string): string {
  return name
    .replace(/^(?:"(?:[^"]|"")+"|[^".]+)\./, '')
    .replaceAll('"', '')
    .toLowerCase();
}

function isSimilar(one: string, other: string): boolean {
  return editDistance(one, other) <= Math.min(MAX_EDITS, Math.floor(one.length / 2));
}

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (other[index - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
