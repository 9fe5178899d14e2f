/** pg ships no types for this module; it is the mapping from JavaScript values to wire values that pg itself uses. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
