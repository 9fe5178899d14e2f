/** Metadata of users as text that an administrator edits. */

type Metadata = Record<string, unknown>;

/** Writes metadata for an editor. */
export function formatMetadata(metadata: Metadata): string {
  return JSON.stringify(metadata, null, 2);
}

/** Parses a text. Returns the reason if it is no JSON object. */
export function parseMetadata(
  text: string,
): { value: Metadata } | { problem: 'syntax' | 'object'; detail: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: 'syntax', detail: (error as Error).message };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'object', detail: '' };
  return { value: value as Metadata };
}

/**
 * Returns the change that turns one object into another for the auth service, which merges at the top level: null removes a
 * key.
 */
export function metadataPatch(before: Metadata, after: Metadata): Metadata {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).filter(([key, value]) => !isEqual(before[key], value));
  return Object.fromEntries([...removed.map((key) => [key, null]), ...changed]);
}

/** Returns whether two JSON values are equal; the order of keys does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
