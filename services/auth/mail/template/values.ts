/** Values in templates: JSON, and URLs of the service. */

/** A URL that the service created or allowed. It may have any scheme that does not run code. */
export class TrustedUrl {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value; undefined if it is missing. */
export type Value = unknown;

/** Truth as in Go: missing, false, zero and empty values are false. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof TrustedUrl) return value.text !== '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Values that are nested deeper are omitted. */
const MAX_DEPTH = 20;

/** Formats a value as Go does: `[a b]`, `map[k:v]`. A missing value is an empty text. */
export function textOf(value: Value, depth: unknown = 0): string {
  const level = typeof depth === 'number' ? depth : 0;
  if (value === undefined || value === null || level > MAX_DEPTH) return '';
  if (value instanceof TrustedUrl) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, level + 1)).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${members.map(([key, item]) => `${key}:${textOf(item, level + 1)}`).join(' ')}]`;
}
