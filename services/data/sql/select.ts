/** SQL of select lists and GROUP BY clauses. */

import type { Embed, Expression, Output, PlannedField, ReadNode } from '../plan/read-node.ts';
import type { AggregateName } from '../query/ast.ts';
import { fieldSql } from './field.ts';
import { cast, EMPTY, type Fragment, integer, join, name, qualified, sql } from './sql.ts';

/** The column of an embed's result that contains its JSON value. */
export const VALUE = 'value';

/** Returns the columns of a node, possibly none. */
export function columnsSql({ columns, alias, isGrouped }: ReadNode): Fragment[] {
  return columns.map((column) => columnSql(column, alias, isGrouped));
}

/** Groups by the positions of all columns that are not aggregates, so that no expression is repeated. */
export function groupBySql({ columns, isGrouped }: ReadNode): Fragment {
  if (!isGrouped) return EMPTY;
  const positions = columns.flatMap((column, index) =>
    column.kind === 'column' && column.aggregate === undefined ? [integer(index + 1)] : [],
  );
  return positions.length === 0 ? EMPTY : sql` group by ${join(positions, ', ')}`;
}

/** Returns the columns of an embed by which its parent orders its own rows. */
export function sortKeysSql({ node, sortKeys }: Embed): Fragment[] {
  return sortKeys.map((key, index) => sql`${expressionSql(node.alias, key)} as ${sortKeyName(index)}`);
}

/** Returns the name of a sort key column. */
export function sortKeyName(index: number): Fragment {
  return name(`sort_${index + 1}`);
}

function columnSql(column: Output, alias: string, isGrouped: boolean): Fragment {
  if (column.kind === 'all') return sql`${name(alias)}.*`;
  const { expression, aggregate } = column;
  const plain = expressionSql(alias, expression);
  if (aggregate === undefined) {
    // The type json has no equality operator, so it cannot be grouped by.
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
