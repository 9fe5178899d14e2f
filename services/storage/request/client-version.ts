/** Parses client versions from headers. */

/** Whether a header names a version before `first`; false if it names none. */
export function isOlderClient(
  header: string | string[] | undefined,
  pattern: RegExp,
  first: readonly number[],
): boolean {
  const found = pattern.exec(String(header ?? ''));
  if (found === null) return false;
  const version = found.slice(1).map(Number);
  const differing = version.findIndex((part, i) => part !== first[i]);
  return differing !== -1 && (version[differing] ?? 0) < (first[differing] ?? 0);
}
