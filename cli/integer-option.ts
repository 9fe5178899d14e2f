/** Options of commands whose values are whole numbers. */

/**
 * Parses the value of an option; undefined if the option is missing.
 * @param name e.g. `--last`, for the message
 * @throws Error if the value is not a whole number of at least `min`
 */
export function integerOption(name: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  throw new Error(`${name}=${JSON.stringify(text)} is not allowed. Allowed: a whole number from ${min}.`);
}
