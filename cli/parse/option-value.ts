/** Values of options, as texts of the command line. */

import type { OptionDefinition } from '../definition.ts';
import { integerOption } from '../integer-option.ts';
import { UsageError } from './usage-error.ts';

/**
 * Parses the value of an option.
 * @param name long name, without the dashes
 * @param previous the value so far, of an option that may be given several times
 * @throws UsageError if the value is not allowed
 */
export function parseOptionValue(
  name: string,
  definition: OptionDefinition,
  text: string,
  previous: unknown,
): string | number | readonly string[] | undefined {
  // The parser takes the next argument, even if it is an option.
  if (text.startsWith('--')) throw new UsageError(`Option '--${name} <value>' argument missing`);
  const { choices, integerFrom, isRepeatable } = definition;
  if (choices && !choices.includes(text)) {
    throw new UsageError(`--${name}=${JSON.stringify(text)} is not allowed. Allowed: ${choices.join(', ')}.`);
  }
  if (integerFrom !== undefined) return integerOption(`--${name}`, text, integerFrom);
  if (isRepeatable) return [...(Array.isArray(previous) ? (previous as string[]) : []), text];
  return text;
}
