/** Readers for JSON without a guaranteed shape: unexpected values count as absent. */

/** Returns objects; an empty object for all other values. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Returns arrays; an empty array for all other values. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns non-empty strings; undefined for all other values. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns an id as text. Some providers use numbers. */
export function identifier(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value);
}

/** Accepts texts and numbers, which some providers send instead of booleans. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}
