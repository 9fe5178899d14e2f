/** Copies of strings for long-lived data structures. */

/**
 * Copies a string so that it does not keep a longer string in memory. A substring references its parent in V8 (a sliced
 * string): a cache that stores part of a URL would retain the whole URL, which may be a thousand times as long.
 */
export function copyString(text: string): string {
  return Buffer.from(text).toString();
}
