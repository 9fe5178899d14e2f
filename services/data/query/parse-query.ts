/**
 * Parses query strings of the data API with PostgREST's grammar. Parses syntax only: the planner resolves names, and
 * PostgreSQL converts values.
 *
 * `select`, `columns` and `on_conflict` apply to the whole query; the first of each wins. Keys whose last word is `order`,
 * `limit`, `offset`, `and` or `or` apply to the embed whose path precedes the word. All other parameters are filters or
 * arguments of a function.
 */
import type { At, Filter, Logic, OrderTerm, Query, SelectItem } from './ast.ts';
import { parseColumns } from './columns.ts';
import { isInteger } from './field.ts';
import { parseFilterValue, refuseFilterValue } from './filter.ts';
import { forEachParameter } from './form.ts';
import { parseFieldKey, parseLogicKey, parsePath } from './key.ts';
import { MAX_PARAMETERS, Usage } from './limits.ts';
import { parseLogic } from './logic.ts';
import { parseOrder } from './order.ts';
import { DEFAULT_SELECT, parseSelect } from './select.ts';
import { QuerySyntaxError } from './syntax-error.ts';

/**
 * Parses a query string.
 *
 * A parameter whose value does not begin with an operator is an argument of a function, see {@link Query.parameters}.
 * If the request does not call a function by GET, the caller must call {@link refuseArguments}.
 *
 * @param raw the text after the `?` of a URL, not decoded
 * @param usage counts the elements of the query, for tests
 * @throws QuerySyntaxError if the text violates the grammar or a limit
 * @example parseQuery('select=id&id=gt.5').filters[0].value.operation // { kind: 'quantifiable', operator: 'gt', … }
 */
export function parseQuery(raw: string, usage: Usage = new Usage()): Query {
  return readQuery(raw, usage).query;
}

/** Parses a query string like {@link parseQuery}, and also returns all decoded parameters in order. */
export function readQuery(
  raw: string,
  usage: Usage = new Usage(),
): { query: Query; urlParameters: readonly (readonly [name: string, value: string])[] } {
  const reader = new QueryReader(usage);
  const urlParameters: [string, string][] = [];
  forEachParameter(raw, (key, value) => {
    urlParameters.push([key, value]);
    reader.read(key, value);
  });
  return { query: reader.query(), urlParameters };
}

/**
 * Rejects parameters that are not filters. Call this for requests that do not call a function by GET.
 *
 * @throws QuerySyntaxError if there is such a parameter
 */
export function refuseArguments(query: Query): void {
  const argument = query.parameters[0];
  if (argument !== undefined) refuseFilterValue(argument[1], new Usage());
}

/** Collects the parts of a query, parameter by parameter. */
class QueryReader {
  readonly #usage: Usage;
  #select: readonly SelectItem[] | undefined;
  #columns: readonly string[] | undefined;
  #onConflict: readonly string[] | undefined;
  readonly #filters: At<Filter>[] = [];
  readonly #logic: At<Logic>[] = [];
  readonly #order: At<readonly OrderTerm[]>[] = [];
  readonly #limits: At<number>[] = [];
  readonly #offsets: At<number>[] = [];
  readonly #parameters: (readonly [string, string])[] = [];

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  read(key: string, value: string): void {
    switch (key) {
      case 'select':
        this.#select ??= parseSelect(value, this.#usage);
        return;
      case 'columns':
        this.#columns ??= parseColumns(key, value, this.#usage);
        return;
      case 'on_conflict':
        this.#onConflict ??= parseColumns(key, value, this.#usage);
        return;
    }
    const word = key.slice(key.lastIndexOf('.') + 1);
    switch (word) {
      case 'order':
        this.#order.push({ path: parsePath(key, this.#usage), value: parseOrder(value, this.#usage) });
        return;
      case 'limit':
        this.#readNumber(this.#limits, key, value);
        return;
      case 'offset':
        this.#readNumber(this.#offsets, key, value);
        return;
      case 'and':
      case 'or':
        this.#readLogic(word, key, value);
        return;
      default:
        this.#readFilter(key, value);
    }
  }

  query(): Query {
    return {
      select: this.#select ?? DEFAULT_SELECT,
      hasSelect: this.#select !== undefined,
      columns: this.#columns,
      onConflict: this.#onConflict,
      filters: this.#filters,
      logic: this.#logic,
      order: onePerPath(this.#order, 'first'),
      limits: onePerPath(this.#limits, 'last'),
      offsets: onePerPath(this.#offsets, 'last'),
      parameters: this.#parameters,
    };
  }

  /** Ignores a value that is not an integer. */
  #readNumber(into: At<number>[], key: string, value: string): void {
    const text = value.trim();
    if (!isInteger(text)) return;
    this.#countParameter(key);
    into.push({ path: parsePath(key, this.#usage), value: clamp(Number(text)) });
  }

  #readLogic(kind: 'and' | 'or', key: string, value: string): void {
    const { path, isNegated } = parseLogicKey(key, this.#usage);
    this.#logic.push({ path, value: parseLogic(kind, isNegated, value, this.#usage) });
  }

  #readFilter(key: string, value: string): void {
    const { path, field } = parseFieldKey(key, this.#usage);
    const condition = parseFilterValue(value, this.#usage);
    if (condition !== undefined) {
      const { isNegated, operation } = condition;
      this.#filters.push({ path, value: { field, isNegated, operation } });
      return;
    }
    // The key of an argument is a plain name, without a path of embeds or a JSON path.
    if (path.length > 0 || field.path.length > 0) refuseFilterValue(value, this.#usage);
    this.#countParameter(key);
    this.#parameters.push([field.name, value]);
  }

  #countParameter(key: string): void {
    this.#usage.parameters += 1;
    if (this.#usage.parameters > MAX_PARAMETERS) {
      throw new QuerySyntaxError(1, 'query string', key, `at most ${MAX_PARAMETERS} parameters`);
    }
  }
}

/** Limits a number to the exact integers, which exceed the rows of any table. Adding 0 turns -0 into 0. */
function clamp(number: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number)) + 0;
}

/** Returns one entry per path, in the order of first occurrence, with the value of its first or last entry. */
function onePerPath<T>(entries: At<T>[], which: 'first' | 'last'): readonly At<T>[] {
  if (entries.length < 2) return entries;
  const perPath = new Map<string, At<T>>();
  for (const entry of entries) {
    const path = JSON.stringify(entry.path);
    if (which === 'last' || !perPath.has(path)) perPath.set(path, entry);
  }
  return [...perPath.values()];
}
