/** Guesses what name somebody meant, for hints of errors. */

/** Below this two names have little to do with each other. */
const LEAST_SIMILARITY = 1 / 3;
/** For names that whoever asks may not have heard of: a guess must not be a way to find them out. */
export const CLOSE_SIMILARITY = 0.75;
/** Longer than any name in PostgreSQL; the work grows with the square of it. */
const LONGEST_NAME = 63;
/** With more names than these a guess would cost more than it is worth. */
const MOST_NAMES = 500;

/**
 * The most similar name, whatever its case; undefined where none is similar enough. Of equals, the first one.
 * @param least from 0 to 1, the part of the longer name that must be the same
 */
export function nearestName(
  name: string,
  names: readonly string[],
  least = LEAST_SIMILARITY,
): string | undefined {
  if (name.length > LONGEST_NAME || names.length > MOST_NAMES) return undefined;
  let nearest: string | undefined;
  let best = 0;
  for (const candidate of names) {
    const similarity = similarityOf(name.toLowerCase(), candidate.toLowerCase());
    if (similarity < least || similarity <= best) continue;
    nearest = candidate;
    best = similarity;
  }
  return nearest;
}

function similarityOf(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : 1 - distanceOf(a, b) / longer;
}

/** Levenshtein's distance, row by row. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const added = (current[j - 1] ?? 0) + 1;
      const removed = (previous[j] ?? 0) + 1;
      current.push(Math.min(replaced, added, removed));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
