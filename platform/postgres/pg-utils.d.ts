/** pg ships no types for this module, which maps JavaScript values to wire values; pg itself uses it. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
