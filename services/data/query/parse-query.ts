/**
 * Query strings of the data API, as PostgREST understands them. Knows the grammar only: whether a name means anything
 * is for the planner, and what a value means is for PostgreSQL.
 *
 * `select`, `columns` and `on_conflict` are parameters of the whole query, and the first of each counts. Keys whose last
 * word is `order`, `limit`, `offset`, `and` or `or` belong to the embed in front of the word. All others are filters, or
 * arguments of a function.
 */
import type { At, Filter, Logic, OrderTerm, Query, SelectItem } from './ast.ts';
import { parseColumns } from './columns.ts';
import { isWholeNumber } from './field.ts';
import { parseFilterValue, refuseFilterValue } from './filter.ts';
import { forEachParameter } from './form.ts';
import { parseFieldKey, parseLogicKey, parsePath } from './key.ts';
import { MAX_PARAMETERS, Usage } from './limits.ts';
import { parseLogic } from './logic.ts';
import { parseOrder } from './order.ts';
import { DEFAULT_SELECT, parseSelect } from './select.ts';
import { QuerySyntaxError } from './syntax-error.ts';

/**
 * What a query string says.
 *
 * A value that does not begin with an operator makes its parameter an argument of a function, see
 * {@link Query.parameters}; where no function is called by GET, {@link refuseArguments} is to be called.
 *
 * @param raw what follows the `?` of a URL, still encoded
 * @param usage counts what is asked for, for tests
 * @throws QuerySyntaxError where the grammar or a limit is left
 * @example parseQuery('select=id&id=gt.5').filters[0].value.operation // { kind: 'quantifiable', operator: 'gt', … }
 */
export function parseQuery(raw: string, usage: Usage = new Usage()): Query {
  return readQuery(raw, usage).query;
}

/** Reads a query string as {@link parseQuery} does; also returns all its parameters, decoded, in their order. */
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
 * Refuses what cannot be a filter, where no function takes it as an argument.
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

  /** What is no number is ignored. */
  #readNumber(into: At<number>[], key: string, value: string): void {
    const text = value.trim();
    if (!isWholeNumber(text)) return;
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
    // Arguments have names and nothing else.
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

/** No table has more rows than the largest number that is exact here. Adding 0 makes 0 of -0. */
function clamp(number: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number)) + 0;
}

/** One entry for each path, where its first one stands, with the value of its first or its last one. */
function onePerPath<T>(entries: At<T>[], which: 'first' | 'last'): readonly At<T>[] {
  if (entries.length < 2) return entries;
  const perPath = new Map<string, At<T>>();
  for (const entry of entries) {
    const path = JSON.stringify(entry.path);
    if (which === 'last' || !perPath.has(path)) perPath.set(path, entry);
  }
  return [...perPath.values()];
}
