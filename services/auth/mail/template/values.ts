/** Values that templates work with: JSON, and our own URLs. */

/** A URL that the service itself made or allowed: it may have any scheme but those that run something. */
export class OwnUrl {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value. What is missing is undefined. */
export type Value = unknown;

/** Go's truth: what is missing, false, zero or empty is not true. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof OwnUrl) return value.text !== '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Deeper values are cut off. */
const MAX_DEPTH = 20;

/** As Go prints it: `[a b]`, `map[k:v]`; nothing for what is missing. */
export function textOf(value: Value, depth: unknown = 0): string {
  const level = typeof depth === 'number' ? depth : 0;
  if (value === undefined || value === null || level > MAX_DEPTH) return '';
  if (value instanceof OwnUrl) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, level + 1)).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${members.map(([key, item]) => `${key}:${textOf(item, level + 1)}`).join(' ')}]`;
}
