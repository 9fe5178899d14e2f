/**
 * Where values of a query go in its SQL. Text depends on the shape of a query alone, so for a plan that is there already
 * only {@link parametersOf} has to run.
 */
import { OPERATORS, type OperatorName } from '../operators.ts';
import type { Query } from '../query/ast.ts';
import { type QueryValue, walkValues } from '../query/values.ts';

/** A number for each value of a query, the same for all queries of its shape. */
export interface Slots {
  /** The slot of the value that a part of the query holds; of a search with a configuration, that of the latter. */
  of(holder: object): number;
  /** How many there are. Values that are no part of the query string come after them. */
  count: number;
}

/** The slots of a query's values: their places in what {@link parametersOf} gives. */
export function slotsOf(query: Query): Slots {
  const numbers = new Map<object, number>();
  let count = 0;
  walkValues(query, (_, holder) => {
    if (!numbers.has(holder)) numbers.set(holder, count);
    count += 1;
  });
  const of = (holder: object) => {
    const slot = numbers.get(holder);
    if (slot === undefined) throw new Error('this part of the query holds no value');
    return slot;
  };
  return { of, count };
}

/**
 * The slot of the body of a request. The limit and the offset of the rows themselves come before it, and the values of
 * what is sent in another way come after it.
 */
export function bodySlot({ count }: Pick<Slots, 'count'>): number {
  return count + 2;
}

/**
 * The values of a query, by slot, in the form that PostgreSQL takes: lists as array literals, `%` for the `*` of patterns.
 * They are to be bound without a type, so that PostgreSQL takes the type from where they stand.
 */
export function parametersOf(query: Query): string[] {
  const parameters: string[] = [];
  walkValues(query, (value, holder) => parameters.push(parameterOf(value, holder)));
  return parameters;
}

/** The values that a text has parameters for, out of all of a request. */
export function bind<Value>(slots: readonly number[], values: readonly Value[]): Value[] {
  return slots.map((slot) => {
    const value = values[slot];
    if (value === undefined) throw new Error(`there is no value in slot ${slot}`);
    return value;
  });
}

function parameterOf(value: QueryValue, holder: object): string {
  if (typeof value === 'string') {
    if (isPattern(holder)) return value.replaceAll('*', '%');
    return isNumberedConfig(value, holder) ? `"${value}"` : value;
  }
  // A limit or an offset is held with its path. Before the first row there is none.
  if (typeof value === 'number') return String('path' in holder ? Math.max(0, value) : value);
  return arrayLiteral(value);
}

function isPattern(holder: object): boolean {
  return 'operator' in holder && OPERATORS[holder.operator as OperatorName].value === 'pattern';
}

/**
 * Whether it is a configuration of a search that PostgreSQL would take for the number of one; where there is none of that
 * number, it fails with an internal error. In quotes it is a name.
 */
function isNumberedConfig(value: string, holder: object): boolean {
  return 'config' in holder && holder.config === value && /^(\d+|-)$/.test(value);
}

/** PostgreSQL's text form of an array. In quotes every text is an element as it is, also `NULL` and the empty one. */
export function arrayLiteral(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  // One look at all of them: few values have such a character, and a list has up to 20,000.
  if (!/["\\]/.test(values.join(','))) return `{"${values.join('","')}"}`;
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
