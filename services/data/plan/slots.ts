/**
 * Slots: the positions of the values of a query. SQL text depends only on the shape of a query, so a cached plan needs only
 * {@link parametersOf} for a new query.
 */
import { OPERATORS, type OperatorName } from '../operators.ts';
import type { Query } from '../query/ast.ts';
import { type QueryValue, walkValues } from '../query/values.ts';

/** The slots of the values of a query. Queries of the same shape have the same slots. */
export interface Slots {
  /** Returns the slot of the value in a part of the query. For a search with a configuration, that of the configuration. */
  of(holder: object): number;
  /** Number of slots. Values from outside of the query string use the following slots. */
  count: number;
}

/** Assigns slots to the values of a query: their indexes in the result of {@link parametersOf}. */
export function slotsOf(query: Query): Slots {
  const numbers = new Map<object, number>();
  let count = 0;
  walkValues(query, (_, holder) => {
    if (!numbers.has(holder)) numbers.set(holder, count);
    count += 1;
  });
  const of = (holder: object) => {
    const slot = numbers.get(holder);
    if (slot === undefined) throw new Error('this part of the query has no value');
    return slot;
  };
  return { of, count };
}

/**
 * Returns the slot of the body of a request. The limit and the offset of the top-level rows precede it; arguments
 * outside of the body follow it.
 */
export function bodySlot({ count }: Pick<Slots, 'count'>): number {
  return count + 2;
}

/**
 * Returns the values of a query by slot, in PostgreSQL's text format: lists are array literals, and patterns have `%`
 * instead of `*`. Bind them without a type, so that PostgreSQL infers the type from the context.
 */
export function parametersOf(query: Query): string[] {
  const parameters: string[] = [];
  walkValues(query, (value, holder) => parameters.push(parameterOf(value, holder)));
  return parameters;
}

/** Returns the values for the parameters of a statement, selected by slot from all values of a request. */
export function bind<Value>(slots: readonly number[], values: readonly Value[]): Value[] {
  return slots.map((slot) => {
    const value = values[slot];
    if (value === undefined) throw new Error(`slot ${slot} has no value`);
    return value;
  });
}

function parameterOf(value: QueryValue, holder: object): string {
  if (typeof value === 'string') {
    if (isPattern(holder)) return value.replaceAll('*', '%');
    return isNumberedConfig(value, holder) ? `"${value}"` : value;
  }
  // A number with a path is a limit or an offset, which cannot be negative. Other numbers are JSON indexes.
  if (typeof value === 'number') return String('path' in holder ? Math.max(0, value) : value);
  return arrayLiteral(value);
}

function isPattern(holder: object): boolean {
  return 'operator' in holder && OPERATORS[holder.operator as OperatorName].value === 'pattern';
}

/**
 * Whether the value is a search configuration that PostgreSQL would parse as an OID. An unknown OID would raise an internal
 * error, so the caller quotes the value, which makes it a name.
 */
function isNumberedConfig(value: string, holder: object): boolean {
  return 'config' in holder && holder.config === value && /^(\d+|-)$/.test(value);
}

/** Returns an array in PostgreSQL's text format. All elements are quoted, so that `NULL` and empty texts stay texts. */
export function arrayLiteral(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  // One search in the joined text is faster: few values need escaping, and a list has up to 20,000 values.
  if (!/["\\]/.test(values.join(','))) return `{"${values.join('","')}"}`;
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
