/** The default of a column, as PostgreSQL writes it, → a value of its Swagger type. */
import type { SwaggerType } from './swagger.ts';

/** A literal with casts. Backslashes are doubled in one that begins with E. The type of a cast may have a name in quotes. */
const LITERAL =
  /^(?<escape>E?)'(?<text>(?:[^']|'')*)'(?:::(?:[\p{L}\p{N}_$. [\]]|"(?:[^"]|"")*"|\([\d,]+\))+)?$/u;
const NULL = /^NULL(::|$)/;
const NUMBER = /^\(?(-?\d+(?:\.\d+)?)\)?$/;

/**
 * A literal is given as its value. Any other expression, such as `now()`, is given as its SQL where the column is a text,
 * and left out elsewhere, as is a number that JSON readers would round.
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
  // 1.50 is as exact as 1.5.
  const canonical = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return String(number) === canonical ? number : undefined;
}
