/** Conditions on rows: their operators by type, and their form in the URL. */
import type { ColumnKind } from './table-model.ts';

/** Operators by their names in the URL. */
const OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'like',
  'ilike',
  'in',
  'null',
  'notnull',
  'has',
] as const;

/** The operator of a condition. `has`: JSON or an array contains the value. */
type Operator = (typeof OPERATORS)[number];

/** A condition on a column. */
export interface Filter {
  column: string;
  operator: Operator;
  /** Empty for operators without a value. */
  value: string;
}

/** Maximum number of conditions at once. */
export const MAX_FILTERS = 20;

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in'];
const ORDER: readonly Operator[] = ['lt', 'lte', 'gt', 'gte'];
const NULLS: readonly Operator[] = ['null', 'notnull'];

const BY_KIND: Readonly<Record<ColumnKind, readonly Operator[]>> = {
  text: [...EQUALITY, 'ilike', 'like', ...ORDER, ...NULLS],
  number: [...EQUALITY, ...ORDER, ...NULLS],
  boolean: ['eq', ...NULLS],
  json: ['has', ...NULLS],
  array: ['has', 'eq', ...NULLS],
  enum: [...EQUALITY, ...NULLS],
  date: [...EQUALITY, ...ORDER, ...NULLS],
  timestamp: [...ORDER, ...EQUALITY, ...NULLS],
  time: [...EQUALITY, ...ORDER, ...NULLS],
  uuid: [...EQUALITY, ...NULLS],
  bytea: [...NULLS, 'eq'],
  other: ['eq', 'neq', ...NULLS],
};

/** Returns the operators of a kind, the most likely first. */
export function operatorsOf(kind: ColumnKind): readonly Operator[] {
  return BY_KIND[kind];
}

/** Returns whether the operator has a value. */
export function needsValue(operator: Operator): boolean {
  return operator !== 'null' && operator !== 'notnull';
}

/** Returns a condition as a value of the URL: `eq:column:value`. */
export function formatFilter({ operator, column, value }: Filter): string {
  const named = `${operator}:${encodeURIComponent(column)}`;
  return needsValue(operator) ? `${named}:${value}` : named;
}

/** Parses a value of {@link formatFilter}; undefined if it is invalid. */
export function parseFilter(text: string): Filter | undefined {
  const match = /^([a-z]+):([^:]+)(?::([\s\S]*))?$/.exec(text);
  const [, operator = '', encoded = '', value] = match ?? [];
  if (!isOperator(operator) || needsValue(operator) !== (value !== undefined)) return undefined;
  const column = decode(encoded);
  return column === undefined ? undefined : { operator, column, value: value ?? '' };
}

/** Returns whether a text names an operator. */
export function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
