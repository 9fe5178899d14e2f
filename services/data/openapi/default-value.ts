/** Converts the default of a column from SQL text to a value of its Swagger type. */
import type { SwaggerType } from './swagger.ts';

/** A literal with casts. A literal that begins with E has doubled backslashes. The type of a cast may be a quoted name. */
const LITERAL =
  /^(?<escape>E?)'(?<text>(?:[^']|'')*)'(?:::(?:[\p{L}\p{N}_$. [\]]|"(?:[^"]|"")*"|\([\d,]+\))+)?$/u;
const NULL = /^NULL(::|$)/;
const NUMBER = /^\(?(-?\d+(?:\.\d+)?)\)?$/;

/**
 * Returns the value of a literal. For any other expression, such as `now()`, returns its SQL if the column is a string, and
 * undefined otherwise. Also returns undefined for a number that JSON parsers would round.
 */
export function defaultValue(
  expression: string | null,
  type: SwaggerType | undefined,
): string | number | boolean | undefined {
  if (expression === null || NULL.test(expression)) return undefined;
  const literal = literalText(expression);
  const text = literal ?? expression;
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'integer' || type === 'number') return exactNumber(text);
  return undefined;
}

function literalText(expression: string): string | undefined {
  const groups = LITERAL.exec(expression)?.groups;
  if (groups === undefined) return undefined;
  const text = groups.text?.replaceAll("''", "'") ?? '';
  return groups.escape === 'E' ? text.replaceAll('\\\\', '\\') : text;
}

function exactNumber(text: string): number | undefined {
  const digits = NUMBER.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  // Trailing zeros do not affect exactness: 1.50 equals 1.5.
  const canonical = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return String(number) === canonical ? number : undefined;
}
