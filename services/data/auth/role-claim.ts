/**
 * Finds the role in the claims of a token by a path in the grammar of PostgREST's `jwt-role-claim-key`:
 *   path    = [ "$" ] 1*step
 *   step    = "." name | "." quoted | "[" quoted "]" | "[" digits "]" | "[?(" filter ")]" | "[?" filter "]"
 *   filter  = "@ " test " " quoted | "search(@, " regular expression in quotes ")"
 *   name    = 1*( letter / digit / "_" / "$" / "@" / "-" )
 *   quoted  = '"' *char '"' | "'" *char "'"
 *   test    = "==" | "!=" | "^==" (begins with) | "==^" (ends with) | "*==" (contains)
 * A filter selects the first string of an array that matches it.
 */

/** Returns the role in the claims, or undefined if they have none. */
export type RoleClaim = (claims: Record<string, unknown>) => unknown;

type Step = (value: unknown) => unknown;

const NAME = /^\.([\p{L}\p{N}_$@-]+)/u;
const QUOTED = /^(?:\.("[^"]*")|\[("[^"]*"|'[^']*')\])/;
const INDEX = /^\[(\d+)\]/;
const TEXT = `(?<text>"[^"]*"|'[^']*')`;
const TEST = filter(`@\\s*(?<test>==\\^|\\^==|\\*==|==|!=)\\s*${TEXT}`);
const SEARCH = filter(`search\\(\\s*@\\s*,\\s*${TEXT}\\s*\\)`);

/** Builds the expression for a filter with or without parentheses. */
function filter(inside: string): RegExp {
  return new RegExp(`^\\[\\?(?:\\(\\s*${inside}\\s*\\)|\\s*${inside}\\s*)\\]`);
}

const TESTS: Record<string, (value: string, operand: string) => boolean> = {
  '==': (value, operand) => value === operand,
  '!=': (value, operand) => value !== operand,
  '^==': (value, operand) => value.startsWith(operand),
  '==^': (value, operand) => value.endsWith(operand),
  '*==': (value, operand) => value.includes(operand),
};

/** Parses a path. Throws an `Error` with the position of an invalid step. */
export function parseRoleClaim(path: string): RoleClaim {
  const steps: Step[] = [];
  let rest = path.replace(/^\$/, '');
  while (rest !== '') {
    const { step, length } = readStep(rest) ?? fail(path, rest);
    steps.push(step);
    rest = rest.slice(length);
  }
  if (steps.length === 0) fail(path, rest);
  return (claims) => steps.reduce<unknown>((value, step) => step(value), claims);
}

function fail(path: string, rest: string): never {
  throw new Error(`"${path}" is not a path to a role: unexpected "${rest}"; examples: .role, .app.roles[0]`);
}

function readStep(text: string): { step: Step; length: number } | undefined {
  const name = NAME.exec(text);
  if (name) return { step: propertyStep(name[1] ?? ''), length: name[0].length };
  const quoted = QUOTED.exec(text);
  if (quoted) return { step: propertyStep(unquote(quoted[1] ?? quoted[2])), length: quoted[0].length };
  const index = INDEX.exec(text);
  if (index) {
    const at = Number(index[1]);
    return { step: (value) => (Array.isArray(value) ? value[at] : undefined), length: index[0].length };
  }
  const search = SEARCH.exec(text);
  if (search) {
    const pattern = new RegExp(unquote(search.groups?.text), 'u');
    return { step: firstOf((item) => pattern.test(item)), length: search[0].length };
  }
  const test = TEST.exec(text);
  const passes = TESTS[test?.groups?.test ?? ''];
  if (test === null || passes === undefined) return undefined;
  const operand = unquote(test.groups?.text);
  return { step: firstOf((item) => passes(item, operand)), length: test[0].length };
}

function unquote(quoted = ''): string {
  return quoted.slice(1, -1);
}

/** Reads only own properties, because inherited properties are not claims. */
function propertyStep(name: string): Step {
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
}

function firstOf(passes: (item: string) => boolean): Step {
  return (value) =>
    Array.isArray(value) ? value.find((item) => typeof item === 'string' && passes(item)) : undefined;
}
