/** Finds the name that a client probably meant, for hints in errors. */

/** Names with a lower similarity have little in common. */
const MIN_SIMILARITY = 1 / 3;
/** For names that the caller may not know: hints must not allow clients to discover names by guessing. */
export const CLOSE_SIMILARITY = 0.75;
/** No name in PostgreSQL is longer. The time of the comparison grows quadratically with the length. */
const MAX_NAME_LENGTH = 63;
/** For more names, the search would cost more than a hint is worth. */
const MAX_NAMES = 500;

/**
 * Returns the most similar name, ignoring case, or undefined if none is similar enough. Of equally similar names,
 * returns the first.
 * @param minSimilarity from 0 to 1: the part of the longer name that must be equal
 */
export function nearestName(
  name: string,
  names: readonly string[],
  minSimilarity = MIN_SIMILARITY,
): string | undefined {
  if (name.length > MAX_NAME_LENGTH || names.length > MAX_NAMES) return undefined;
  let nearest: string | undefined;
  let best = 0;
  for (const candidate of names) {
    const similarity = similarityOf(name.toLowerCase(), candidate.toLowerCase());
    if (similarity < minSimilarity || similarity <= best) continue;
    nearest = candidate;
    best = similarity;
  }
  return nearest;
}

function similarityOf(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : 1 - distanceOf(a, b) / longer;
}

/** Returns the Levenshtein distance. Keeps only two rows of the matrix. */
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
