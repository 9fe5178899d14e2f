/**
 * The shape of a query: everything except its values. Queries of the same shape differ only in the parameters of their
 * SQL, so they share a plan.
 *
 * The values are those that {@link valuesOf} returns. Keywords belong to the shape because they become SQL text: the
 * operand of `is`, directions, aggregates and casts. So does the name that a JSON path gives to a field without an
 * alias.
 *
 * A key is a sequence of self-delimiting parts: names follow their length, lists follow their count, and keywords end with
 * `;`. So different shapes never have the same key.
 */
import type { At, Field, Filter, Logic, Operation, OrderTerm, Query, SelectItem } from './ast.ts';

/** Returns a key that two queries share if and only if they differ only in their values. */
export function shapeOf(query: Query): string {
  let shape = query.hasSelect ? 's' : 'd';
  shape += selectShape(query.select) + optionalNames(query.columns) + optionalNames(query.onConflict);
  shape += at(query.filters, filter) + at(query.logic, logic) + at(query.order, terms);
  shape += at(query.limits, empty) + at(query.offsets, empty);
  shape += `${query.parameters.length};`;
  for (const [parameter] of query.parameters) shape += name(parameter);
  return shape;
}

const selectShapes = new WeakMap<readonly SelectItem[], string>();

/** Caches the shape by the list object, which the cache of {@link parseSelect} reuses for the same text. */
function selectShape(list: readonly SelectItem[]): string {
  const known = selectShapes.get(list);
  if (known !== undefined) return known;
  const shape = items(list);
  selectShapes.set(list, shape);
  return shape;
}

/** Returns the name that a JSON path gives to its field: the last key. Undefined if the path has no key. */
export function lastKeyOf(path: Field['path']): string | undefined {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const operand = path[index]?.operand;
    if (operand?.kind === 'key') return operand.key;
  }
  return undefined;
}

function name(text: string): string {
  return `${text.length}:${text}`;
}

function optional(text: string | undefined): string {
  return text === undefined ? '-' : name(text);
}

function names(list: readonly string[]): string {
  let shape = `${list.length};`;
  for (const text of list) shape += name(text);
  return shape;
}

function optionalNames(list: readonly string[] | undefined): string {
  return list === undefined ? '-' : names(list);
}

function at<T>(entries: readonly At<T>[], shapeOfValue: (value: T) => string): string {
  let shape = `${entries.length};`;
  for (const { path, value } of entries) shape += names(path) + shapeOfValue(value);
  return shape;
}

function empty(): string {
  return '';
}

function items(list: readonly SelectItem[]): string {
  let shape = `${list.length};`;
  for (const each of list) shape += item(each);
  return shape;
}

function item(each: SelectItem): string {
  switch (each.kind) {
    case 'all':
      return '*';
    case 'count':
      return `c${optional(each.alias)}${optional(each.cast)}`;
    case 'field': {
      const output = each.alias === undefined ? optional(lastKeyOf(each.field.path)) : '';
      const shape = `f${optional(each.alias)}${output}${field(each.field)}${optional(each.cast)}`;
      return each.aggregate === undefined
        ? `${shape}-`
        : `${shape}${each.aggregate.name};${optional(each.aggregate.cast)}`;
    }
    case 'embed': {
      const join = each.join === undefined ? '-' : each.join === 'inner' ? 'i' : 'l';
      const start = `${each.isSpread ? '.' : 'e'}${join}${name(each.target)}`;
      return `${start}${optional(each.alias)}${optional(each.hint)}${items(each.select)}`;
    }
  }
}

function field({ name: text, path }: Field): string {
  let shape = `${name(text)}${path.length};`;
  for (const { arrow, operand } of path) {
    if (operand.kind === 'key') shape += arrow === '->' ? 'k' : 'K';
    else shape += arrow === '->' ? 'i' : 'I';
  }
  return shape;
}

function filter({ field: on, isNegated, operation }: Filter): string {
  return `${field(on)}${isNegated ? '!' : '.'}${operator(operation)};`;
}

/** Returns the keyword of an operator, which is unique among all kinds of operations. */
function operator(operation: Operation): string {
  switch (operation.kind) {
    case 'quantifiable':
      return operation.quantifier === undefined
        ? operation.operator
        : `${operation.operator}(${operation.quantifier})`;
    case 'simple':
      return operation.operator;
    case 'search':
      return operation.config === undefined ? operation.operator : `${operation.operator}()`;
    case 'is':
      return `is.${operation.value}`;
    case 'in':
      return operation.kind;
  }
}

function logic(tree: Logic): string {
  if (tree.kind === 'filter') return `f${filter(tree.filter)}`;
  let shape = `${tree.kind}${tree.isNegated ? '!' : '.'}${tree.operands.length};`;
  for (const operand of tree.operands) shape += logic(operand);
  return shape;
}

function terms(list: readonly OrderTerm[]): string {
  let shape = `${list.length};`;
  for (const { field: by, relation, direction, nulls } of list) {
    shape += `${optional(relation)}${field(by)}${direction ?? ''};${nulls ?? ''};`;
  }
  return shape;
}
