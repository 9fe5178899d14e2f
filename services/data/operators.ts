/**
 * The filter operators of the URL grammar, `column=operator.value`: one table for the parser (`query/`), the planner
 * (`plan/`), the SQL (`sql/`) and the reference page (`docs/reference/data.md`). Each can be negated: `column=not.eq.5`.
 */

interface OperatorDefinition {
  /**
   * The notation: `quantifiable` accepts `(any)` or `(all)` after the name, `simple` does not, `in` takes a list, `is`
   * takes a word of {@link IS_VALUES}, and `search` accepts a `(configuration)` after the name.
   */
  syntax: 'quantifiable' | 'simple' | 'in' | 'is' | 'search';
  /** SQL text: an infix operator or, for a search, the function that converts the value to a `tsquery`. */
  sql: string;
  /**
   * `column`: a value of the column's type, which a cast from text may convert. `literal`: an untyped literal, whose type
   * PostgreSQL infers. `pattern`: a text in which `*` stands for `%`.
   */
  value: 'column' | 'literal' | 'pattern';
  /** The condition in words, for the reference page. */
  description: string;
}

/** All operators by their names in a URL, in the order of the reference page. */
export const OPERATORS = {
  eq: { syntax: 'quantifiable', sql: '=', value: 'column', description: 'equal' },
  neq: { syntax: 'simple', sql: '<>', value: 'column', description: 'not equal' },
  gt: { syntax: 'quantifiable', sql: '>', value: 'column', description: 'greater than' },
  gte: { syntax: 'quantifiable', sql: '>=', value: 'column', description: 'greater than or equal' },
  lt: { syntax: 'quantifiable', sql: '<', value: 'column', description: 'less than' },
  lte: { syntax: 'quantifiable', sql: '<=', value: 'column', description: 'less than or equal' },
  like: { syntax: 'quantifiable', sql: 'like', value: 'pattern', description: 'matches a pattern' },
  ilike: {
    syntax: 'quantifiable',
    sql: 'ilike',
    value: 'pattern',
    description: 'matches a pattern in any case',
  },
  match: {
    syntax: 'quantifiable',
    sql: '~',
    value: 'literal',
    description: 'matches a POSIX regular expression',
  },
  imatch: {
    syntax: 'quantifiable',
    sql: '~*',
    value: 'literal',
    description: 'matches a POSIX regular expression in any case',
  },
  in: { syntax: 'in', sql: '= any', value: 'column', description: 'equal to one of a list' },
  is: { syntax: 'is', sql: 'is', value: 'literal', description: 'null, or a truth value' },
  isdistinct: {
    syntax: 'simple',
    sql: 'is distinct from',
    value: 'literal',
    description: 'not equal, where null is a value',
  },
  fts: { syntax: 'search', sql: 'to_tsquery', value: 'literal', description: 'full-text search' },
  plfts: {
    syntax: 'search',
    sql: 'plainto_tsquery',
    value: 'literal',
    description: 'full-text search for all words',
  },
  phfts: {
    syntax: 'search',
    sql: 'phraseto_tsquery',
    value: 'literal',
    description: 'full-text search for a phrase',
  },
  wfts: {
    syntax: 'search',
    sql: 'websearch_to_tsquery',
    value: 'literal',
    description: 'full-text search as in web search engines',
  },
  cs: { syntax: 'simple', sql: '@>', value: 'column', description: 'contains an array, a range or JSON' },
  cd: {
    syntax: 'simple',
    sql: '<@',
    value: 'column',
    description: 'is contained in an array, a range or JSON',
  },
  ov: {
    syntax: 'simple',
    sql: '&&',
    value: 'column',
    description: 'has an element in common with an array or a range',
  },
  sl: { syntax: 'simple', sql: '<<', value: 'column', description: 'range strictly left of another' },
  sr: { syntax: 'simple', sql: '>>', value: 'column', description: 'range strictly right of another' },
  nxr: {
    syntax: 'simple',
    sql: '&<',
    value: 'column',
    description: 'range that does not extend to the right of another',
  },
  nxl: {
    syntax: 'simple',
    sql: '&>',
    value: 'column',
    description: 'range that does not extend to the left of another',
  },
  adj: { syntax: 'simple', sql: '-|-', value: 'column', description: 'range adjacent to another' },
} as const satisfies Readonly<Record<string, OperatorDefinition>>;

type Operators = typeof OPERATORS;

/** The name of an operator in a URL. */
export type OperatorName = keyof Operators;

export type Operator = { [Name in OperatorName]: Operators[Name] & { name: Name } }[OperatorName];

export type OperatorNameOf<Syntax extends Operator['syntax']> = Extract<Operator, { syntax: Syntax }>['name'];

/** Operators that may be followed by `(any)` or `(all)`. */
export type QuantifiableOperator = OperatorNameOf<'quantifiable'>;
/** Operators with one value and nothing else. */
export type SimpleOperator = OperatorNameOf<'simple'>;
/** Full-text search operators. */
export type SearchOperator = OperatorNameOf<'search'>;

const BY_NAME: ReadonlyMap<string, Operator> = new Map(
  Object.entries(OPERATORS).map(([name, operator]) => [name, { name, ...operator } as Operator]),
);

/** Returns the operator with a name, or undefined if none has it. */
export function findOperator(name: string): Operator | undefined {
  return BY_NAME.get(name);
}

/** The words that may follow `is`, and their SQL text. */
export const IS_VALUES = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
} as const;

/** A word that may follow `is`. */
export type IsValue = keyof typeof IS_VALUES;
