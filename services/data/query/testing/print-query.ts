/** Prints queries as query strings: the inverse of the parser, for tests. Quotes all ambiguous names and values. */
import type { At, Field, Filter, Logic, Operation, OrderTerm, Query, SelectItem } from '../ast.ts';

const PLAIN = /^[\p{L}\d_$]+$/u;
const WORDS = new Set([
  ...['select', 'columns', 'on_conflict', 'order', 'limit', 'offset'],
  ...['and', 'or', 'not', 'count', 'inner', 'left'],
]);

/** Returns a query string that parses to the query. */
export function printQuery(query: Query): string {
  const pairs: [key: string, value: string][] = [];
  if (query.hasSelect) pairs.push(['select', printItems(query.select)]);
  if (query.columns) pairs.push(['columns', query.columns.map(printName).join(',')]);
  if (query.onConflict) pairs.push(['on_conflict', query.onConflict.map(printName).join(',')]);
  for (const { path, value } of query.filters)
    pairs.push([printKey(path, printField(value.field)), condition(value)]);
  for (const { path, value } of query.logic) pairs.push(printLogicPair(path, value));
  for (const { path, value } of query.order)
    pairs.push([printKey(path, 'order'), value.map(printTerm).join(',')]);
  for (const { path, value } of query.limits) pairs.push([printKey(path, 'limit'), String(value)]);
  for (const { path, value } of query.offsets) pairs.push([printKey(path, 'offset'), String(value)]);
  for (const [name, value] of query.parameters) pairs.push([printName(name), value]);
  return pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

function printName(name: string): string {
  return PLAIN.test(name) && !WORDS.has(name) ? name : quote(name);
}

function printKey(path: At<unknown>['path'], last: string): string {
  return [...path.map(printName), last].join('.');
}

function printField({ name, path }: Field): string {
  const steps = path.map(({ arrow, operand }) => {
    if (operand.kind === 'index') return `${arrow}${operand.index}`;
    const isPlain = PLAIN.test(operand.key) && !/^\d+$/.test(operand.key);
    return `${arrow}${isPlain ? operand.key : quote(operand.key)}`;
  });
  return printName(name) + steps.join('');
}

function printItems(items: readonly SelectItem[]): string {
  return items.map(printItem).join(',');
}

function printItem(item: SelectItem): string {
  if (item.kind === 'all') return '*';
  const alias = item.alias === undefined ? '' : `${printName(item.alias)}:`;
  if (item.kind === 'embed') {
    const hint = item.hint === undefined ? '' : `!${printName(item.hint)}`;
    const join = item.join === undefined ? '' : `!${item.join}`;
    const target = printName(item.target) + hint + join;
    return `${item.isSpread ? '...' : alias}${target}(${printItems(item.select)})`;
  }
  if (item.kind === 'count') return `${alias}count()${printCast(item.cast)}`;
  const { field, cast, aggregate } = item;
  const suffix = aggregate === undefined ? '' : `.${aggregate.name}()${printCast(aggregate.cast)}`;
  return alias + printField(field) + printCast(cast) + suffix;
}

function printCast(cast: string | undefined): string {
  return cast === undefined ? '' : `::${cast}`;
}

function condition({ isNegated, operation }: Filter, printValue = (value: string) => value): string {
  return (isNegated ? 'not.' : '') + printOperation(operation, printValue);
}

function printOperation(operation: Operation, printValue: (value: string) => string): string {
  switch (operation.kind) {
    case 'quantifiable': {
      const quantifier = operation.quantifier === undefined ? '' : `(${operation.quantifier})`;
      return `${operation.operator}${quantifier}.${printValue(operation.value)}`;
    }
    case 'simple':
      return `${operation.operator}.${printValue(operation.value)}`;
    case 'search': {
      const config = operation.config === undefined ? '' : `(${operation.config})`;
      return `${operation.operator}${config}.${printValue(operation.value)}`;
    }
    case 'in':
      return `in.(${operation.values.map(quote).join(',')})`;
    case 'is':
      return `is.${operation.value}`;
  }
}

function printLogicPair(path: readonly string[], tree: Logic): [key: string, value: string] {
  if (tree.kind === 'filter') throw new TypeError('a parameter is and(…) or or(…)');
  const word = tree.isNegated ? `not.${tree.kind}` : tree.kind;
  return [printKey(path, word), printOperands(tree.operands)];
}

function printOperands(operands: readonly Logic[]): string {
  return `(${operands.map(printLogic).join(',')})`;
}

function printLogic(tree: Logic): string {
  if (tree.kind === 'filter') return `${printField(tree.filter.field)}.${condition(tree.filter, quote)}`;
  return `${tree.isNegated ? 'not.' : ''}${tree.kind}${printOperands(tree.operands)}`;
}

function printTerm({ field, relation, direction, nulls }: OrderTerm): string {
  const by = relation === undefined ? printField(field) : `${printName(relation)}(${printField(field)})`;
  return (
    by + (direction === undefined ? '' : `.${direction}`) + (nulls === undefined ? '' : `.nulls${nulls}`)
  );
}
