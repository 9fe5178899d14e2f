/**
 * Path patterns of the session guard: a pattern must match the whole path; each `*` matches any run of
 * characters, including slashes and the empty run. No other character is special, and matching is
 * case-sensitive.
 */

/**
 * Returns whether `pattern` matches `path` (a pathname without query or hash). An empty or absent pattern
 * matches nothing. Takes linear time in the length of the path, because a visitor chooses the path.
 *
 * @example matchesPattern('/docs/*', '/docs/a/b') // true, while '/docs' does not match
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

/** Returns whether any of `patterns` matches `path`. */
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
