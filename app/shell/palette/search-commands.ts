/** Searches commands: every word of the query must be a prefix or a part of one of the command's words. */

/** An entry that can be searched. */
interface Searchable {
  label: string;
  /** Additional search terms. */
  words: readonly string[];
}

/** Weights of the places in which a word of the query is found. */
const IN_LABEL = 4;
const AT_START = 2;
const INSIDE = 1;
/** Shorter words match inside of too many words. */
const MIN_INSIDE_CHARACTERS = 3;

/** Returns the matching entries, best first; all entries in their order for a query without words. */
export function searchCommands<T extends Searchable>(commands: readonly T[], query: string): T[] {
  const terms = splitWords(query);
  return commands
    .map((command) => ({ command, score: scoreOf(command, terms) }))
    .filter(({ score }) => score > 0 || terms.length === 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command);
}

/** Returns whether an entry matches a query. A query without words matches nothing. */
export function matchesQuery(entry: Searchable, query: string): boolean {
  return scoreOf(entry, splitWords(query)) > 0;
}

function scoreOf({ label, words }: Searchable, terms: readonly string[]): number {
  const labelWords = splitWords(label);
  const keywords = splitWords(words.join(' '));
  const scores = terms.map((word) => IN_LABEL * scoreIn(labelWords, word) || scoreIn(keywords, word));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function scoreIn(words: readonly string[], terms: string): number {
  if (words.some((word) => word.startsWith(terms))) return AT_START;
  if (terms.length < MIN_INSIDE_CHARACTERS) return 0;
  return words.some((word) => word.includes(terms)) ? INSIDE : 0;
}

const TRANSLITERATIONS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/**
 * Splits a text into words in lower case without accents. A word with umlauts counts in both of its
 * spellings, since keyboards of other languages lack them: `über` is `uber` and `ueber`.
 */
export function splitWords(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter(Boolean).flatMap((word) => {
    const plain = withoutAccents(word);
    const transliterated = withoutAccents(
      word.normalize('NFC').replace(/[äöüß]/g, (letter) => TRANSLITERATIONS[letter] ?? letter),
    );
    return plain === transliterated ? [plain] : [plain, transliterated];
  });
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}
