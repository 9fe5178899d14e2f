/**
 * The values of a query, which are not part of its shape and become parameters of its SQL.
 *
 * Their order follows the parts of the query: `select` (depth-first through its embeds), filters, logic, order, limits,
 * offsets, parameters. The JSON operands of a field precede the value of its condition, and the configuration of a search
 * precedes its text.
 */
import type { Field, Filter, Logic, Query, SelectItem } from './ast.ts';

/** The value of one SQL parameter. An `in` list is a single parameter. */
export type QueryValue = string | number | readonly string[];

/**
 * Calls `visit` with every value and the part of the query that contains it: a {@link JsonStep}, an {@link Operation}, an
 * {@link At} of a number, or an entry of `parameters`. The planner identifies SQL parameters by these objects.
 */
export function walkValues(query: Query, visit: (value: QueryValue, holder: object) => void): void {
  walkItems(query.select, visit);
  for (const { value } of query.filters) walkFilter(value, visit);
  for (const { value } of query.logic) walkLogic(value, visit);
  for (const { value: terms } of query.order) for (const { field } of terms) walkField(field, visit);
  for (const limit of query.limits) visit(limit.value, limit);
  for (const offset of query.offsets) visit(offset.value, offset);
  for (const parameter of query.parameters) visit(parameter[1], parameter);
}

/** Returns the values of a query. Queries of the same shape have the same number and order of values. */
export function valuesOf(query: Query): QueryValue[] {
  const values: QueryValue[] = [];
  walkValues(query, (value) => values.push(value));
  return values;
}

type Visit = (value: QueryValue, holder: object) => void;

function walkItems(items: readonly SelectItem[], visit: Visit): void {
  for (const item of items) {
    if (item.kind === 'field') walkField(item.field, visit);
    else if (item.kind === 'embed') walkItems(item.select, visit);
  }
}

function walkField({ path }: Field, visit: Visit): void {
  for (const step of path) visit(step.operand.kind === 'key' ? step.operand.key : step.operand.index, step);
}

function walkFilter({ field, operation }: Filter, visit: Visit): void {
  walkField(field, visit);
  switch (operation.kind) {
    case 'is':
      return;
    case 'in':
      visit(operation.values, operation);
      return;
    case 'search':
      if (operation.config !== undefined) visit(operation.config, operation);
      visit(operation.value, operation);
      return;
    default:
      visit(operation.value, operation);
  }
}

function walkLogic(tree: Logic, visit: Visit): void {
  if (tree.kind === 'filter') walkFilter(tree.filter, visit);
  else for (const operand of tree.operands) walkLogic(operand, visit);
}
