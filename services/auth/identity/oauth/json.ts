/** Reading of JSON whose form nobody guarantees: what is not as expected is as if it were not there. */

/** An object of anything; an empty one for what is no object. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** An array of anything; an empty one for what is no array. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or undefined where it is empty or none. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A name for somebody, which some providers give as a number. */
export function identifier(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(value);
}

/** Some providers write truth as text, or as a number. */
export function truth(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}
