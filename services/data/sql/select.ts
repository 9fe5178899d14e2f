/** Select lists, and what rows are grouped by. */

import type { Embed, Expression, Output, PlannedField, ReadNode } from '../plan/read-node.ts';
import type { AggregateName } from '../query/ast.ts';
import { fieldSql } from './field.ts';
import { cast, EMPTY, type Fragment, join, name, qualified, sql, wholeNumber } from './sql.ts';

/** The column of an embed's result that has its value. */
export const VALUE = 'value';

/** The columns of a node. There may be none at all. */
export function columnsSql({ columns, alias, isGrouped }: ReadNode): Fragment[] {
  return columns.map((column) => columnSql(column, alias, isGrouped));
}

/** Groups by all columns that are no aggregates, by their places: so no expression is written twice. */
export function groupBySql({ columns, isGrouped }: ReadNode): Fragment {
  if (!isGrouped) return EMPTY;
  const places = columns.flatMap((column, index) =>
    column.kind === 'column' && column.aggregate === undefined ? [wholeNumber(index + 1)] : [],
  );
  return places.length === 0 ? EMPTY : sql` group by ${join(places, ', ')}`;
}

/** The columns by which the parent of an embed orders its own rows. */
export function sortKeysSql({ node, sortKeys }: Embed): Fragment[] {
  return sortKeys.map((key, index) => sql`${expressionSql(node.alias, key)} as ${sortKeyName(index)}`);
}

/** What such a column is called. */
export function sortKeyName(index: number): Fragment {
  return name(`sort_${index + 1}`);
}

function columnSql(column: Output, alias: string, isGrouped: boolean): Fragment {
  if (column.kind === 'all') return sql`${name(alias)}.*`;
  const { expression, aggregate } = column;
  const plain = expressionSql(alias, expression);
  if (aggregate === undefined) {
    // There is no equality of json, so no groups of it.
    const value = isGrouped && isJson(expression) ? sql`${plain}::jsonb` : plain;
    return sql`${value} as ${name(column.name)}`;
  }
  const argument = expression.kind === 'row' ? sql`*` : plain;
  const result = cast(sql`${AGGREGATES[aggregate.name]}(${argument})`, aggregate.cast);
  return sql`${result} as ${name(column.name)}`;
}

function expressionSql(alias: string, expression: Expression): Fragment {
  switch (expression.kind) {
    case 'field': {
      const field = fieldSql(alias, expression.field);
      const formatted =
        expression.format === undefined ? field : sql`${qualified(expression.format)}(${field})`;
      return cast(formatted, expression.cast);
    }
    case 'row':
      return sql`true`;
    case 'lifted':
      return name(expression.embed.alias, expression.column);
    case 'embed':
      return name(expression.embed.alias, VALUE);
  }
}

function isJson(expression: Expression): boolean {
  switch (expression.kind) {
    case 'embed':
      return true;
    case 'lifted':
      return expression.isJson;
    case 'field':
      return (
        expression.cast === undefined && (expression.format !== undefined || isJsonField(expression.field))
      );
    case 'row':
      return false;
  }
}

function isJsonField({ column, path }: PlannedField): boolean {
  return column?.baseType === 'json' && path.at(-1)?.arrow !== '->>';
}

const AGGREGATES: Readonly<Record<AggregateName, Fragment>> = {
  sum: sql`sum`,
  avg: sql`avg`,
  count: sql`count`,
  min: sql`min`,
  max: sql`max`,
};
