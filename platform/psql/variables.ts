/** Variables of psql (PostgreSQL documentation, "psql", "SQL Interpolation"). */
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import { type Token, tokensOf } from '@greenroom/project/sql';

/** Values by name. */
export type Variables = Map<string, string>;

const NAME = '[A-Za-z0-9_\\u0080-\\uFFFF]+';
const IN_SINGLE_QUOTES = new RegExp(`^'(${NAME})'$`);
const IN_DOUBLE_QUOTES = new RegExp(`^"(${NAME})"$`);
const PLAIN = new RegExp(`^${NAME}$`);
/** A reference in the arguments of a command. */
const REFERENCE = new RegExp(`:(?:(${NAME})|'(${NAME})'|"(${NAME})"|\\{\\?(${NAME})\\})`, 'y');

/** Whether a text may be the name of a variable. */
export function isVariableName(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Returns a statement with the values of variables: `:name` as it is, `:'name'` as a literal, `:"name"` as an identifier,
 * `:{?name}` as whether it is set. References to other names, casts and quoted text stay as they are.
 */
export function interpolate(sql: string, variables: Variables): string {
  const tokens = [...tokensOf(sql)];
  const textAt = (index: number) => textOf(sql, tokens[index]);
  let result = '';
  for (let index = 0; index < tokens.length; index++) {
    const text = textAt(index);
    if (text === ':' && textAt(index + 1) === ':') {
      result += '::';
      index++;
      continue;
    }
    const found =
      text === ':'
        ? replacementOf(
            [1, 2, 3, 4].map((next) => textAt(index + next)),
            variables,
          )
        : undefined;
    result += found?.value ?? text;
    index += found?.tokens ?? 0;
  }
  return result;
}

function textOf(sql: string, token: Token | undefined): string {
  return token === undefined ? '' : sql.slice(token.start, token.end);
}

/** Returns the value for a colon that these tokens follow, and how many of them belong to the reference. */
function replacementOf(
  [first = '', second = '', third = '', fourth = '']: readonly string[],
  variables: Variables,
): { value: string; tokens: number } | undefined {
  if (first === '{' && second === '?' && fourth === '}' && PLAIN.test(third))
    return { value: existence(third, variables), tokens: 4 };
  const value =
    quotedValue(PLAIN.exec(first)?.[0], variables, (text) => text) ??
    quotedValue(IN_SINGLE_QUOTES.exec(first)?.[1], variables, quoteLiteral) ??
    quotedValue(IN_DOUBLE_QUOTES.exec(first)?.[1], variables, quoteIdentifier);
  return value === undefined ? undefined : { value, tokens: 1 };
}

function quotedValue(
  name: string | undefined,
  variables: Variables,
  quote: (text: string) => string,
): string | undefined {
  const value = name === undefined ? undefined : variables.get(name);
  return value === undefined ? undefined : quote(value);
}

function existence(name: string, variables: Variables): string {
  return variables.has(name) ? 'TRUE' : 'FALSE';
}

/** Returns the value of a reference at an offset of an argument, and its length; undefined if there is none. */
export function referenceAt(
  text: string,
  offset: number,
  variables: Variables,
): { value: string; length: number } | undefined {
  REFERENCE.lastIndex = offset;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const [{ length }, plain, literal, identifier, tested] = match;
  if (tested !== undefined) return { value: existence(tested, variables), length };
  const name = plain ?? literal ?? identifier ?? '';
  const found = variables.get(name);
  if (found === undefined) return undefined;
  const value = literal ? quoteLiteral(found) : identifier ? quoteIdentifier(found) : found;
  return { value, length };
}
