/** Conditions on rows as SQL. Values are parameters, which the type of their column parses. */
import { quoteIdentifier } from '../shared/sql-identifier.ts';
import { arrayLiteral, splitList } from './array-literal.ts';
import { type Filter, operatorsOf } from './filters.ts';
import { columnOf, type TableColumn, type TableInfo } from './table-model.ts';

/** SQL with its parameters. */
export interface Statement {
  text: string;
  values: (string | null)[];
}

/** A filter that does not fit the table. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly column: string;

  constructor(column: string) {
    super(`The column “${column}” does not exist, or has no such condition.`);
    this.column = column;
  }
}

/** Adds a parameter, and returns its placeholder with a cast. */
export function addParameter(values: (string | null)[], value: string | null, type: string): string {
  values.push(value);
  // Through text: the type of a parameter would otherwise be that of the cast, which rejects texts for some types.
  return `$${values.length}::text::${type}`;
}

const COMPARISONS = { eq: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Returns the conditions, each in a text of its own; adds their parameters to `values`. Throws {@link FilterError}. */
export function filterConditions(
  table: Pick<TableInfo, 'columns'>,
  filters: readonly Filter[],
  values: (string | null)[],
): string[] {
  return filters.map((filter) => {
    const column = columnOf(table, filter.column);
    if (column === undefined || !operatorsOf(column.kind).includes(filter.operator))
      throw new FilterError(filter.column);
    return condition(column, filter, values);
  });
}

function condition(column: TableColumn, { operator, value }: Filter, values: (string | null)[]): string {
  const name = `t.${quoteIdentifier(column.name)}`;
  switch (operator) {
    case 'null':
      return `${name} is null`;
    case 'notnull':
      return `${name} is not null`;
    case 'like':
    case 'ilike':
      return `${name}::text ${operator} ${addParameter(values, value, 'text')}`;
    case 'in':
      return `${name} = any(${addParameter(values, arrayLiteral(splitList(value)), `${column.type}[]`)})`;
    case 'has':
      return column.kind === 'json'
        ? `${name}::jsonb @> ${addParameter(values, value, 'jsonb')}`
        : `${name} @> ${addParameter(values, toArray(value), column.type)}`;
    default:
      return `${name} ${COMPARISONS[operator]} ${addParameter(values, value, column.type)}`;
  }
}

/** Users type arrays as literals, or as lists. */
function toArray(text: string): string {
  return /^\s*\{[\s\S]*\}\s*$/.test(text) ? text : arrayLiteral(splitList(text));
}
