/** Helpers for JSON that is forwarded with its numbers exactly as they were written. */

/** A number that may not survive parsing in JavaScript: one with many digits or an exponent. */
const LONG_NUMBER = /\d{16}|\d\.?\d*[eE]/;

interface RawJson {
  rawJSON(text: string): unknown;
}

/** Whether the bytes are JSON in UTF-8. */
export function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON of one member of an object, with numbers as they were written; undefined if the member is missing.
 * @param text JSON of an object
 */
export function memberText(text: string, name: string): string | undefined {
  if (!LONG_NUMBER.test(text)) return JSON.stringify((JSON.parse(text) as Record<string, unknown>)[name]);
  const { rawJSON } = JSON as unknown as RawJson;
  const lossless = JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value) as never);
  return JSON.stringify(lossless[name]);
}
