/**
 * Path patterns of the session guard: a pattern covers the whole path, and each `*` stands for any run of
 * characters, slashes and the empty run included. Nothing else has a meaning, and nothing is folded.
 */

/**
 * Tells whether `pattern` covers `path` (a pathname without query or hash). An empty or absent pattern covers
 * nothing. Linear in the length of the path, because a visitor chooses the path.
 *
 * @example matchesPattern('/docs/*', '/docs/a/b') // true, while '/docs' is not covered
 */
export function matchesPattern(pattern: string | undefined, path: string): boolean {
  if (!pattern) return false;
  const [prefix = '', ...rest] = pattern.split('*');
  const suffix = rest.pop();
  if (suffix === undefined) return path === prefix;
  const end = path.length - suffix.length;
  if (end < prefix.length || !path.startsWith(prefix) || !path.endsWith(suffix)) return false;
  return containsInOrder(path.slice(prefix.length, end), rest);
}

/** Tells whether any of `patterns` covers `path`. */
export function matchesAny(patterns: readonly (string | undefined)[], path: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, path));
}

function containsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return true;
}
