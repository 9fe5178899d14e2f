/** JSON that is passed on and not looked into: it stays as it was written, as far as that can be done. */

/** A number that JavaScript may not be able to hold as it is written: of many digits, or with an exponent. */
const LONG_NUMBER = /\d{16}|\d\.?\d*[eE]/;

interface RawJson {
  rawJSON(text: string): unknown;
}

/** Whether the bytes are JSON, in UTF-8. */
export function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Whether it is an object, and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The text of one member of a JSON object, with its numbers as they were written. Undefined where it is not there.
 * @param text JSON of an object
 */
export function memberText(text: string, name: string): string | undefined {
  if (!LONG_NUMBER.test(text)) return JSON.stringify((JSON.parse(text) as Record<string, unknown>)[name]);
  const { rawJSON } = JSON as unknown as RawJson;
  const lossless = JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value) as never);
  return JSON.stringify(lossless[name]);
}
