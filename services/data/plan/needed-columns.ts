/** Determines the columns that a write must return to the read that shows its rows. */
import type { Expression, PlannedField, ReadNode } from './read-node.ts';

/**
 * Returns the names of the columns, including computed fields, that a read uses of its root node; undefined means all
 * columns. Includes the columns that join the embeds.
 */
export function neededColumns(node: ReadNode): ReadonlySet<string> | undefined {
  const { columns, order, embeds } = node;
  const selected = columns.flatMap((column) => (column.kind === 'column' ? fieldsOf(column.expression) : []));
  const ordered = order.flatMap(({ by }) => (by.kind === 'field' ? [by.field] : []));
  const fields = [...selected, ...ordered];
  // Computed fields and relationships receive the whole row as their argument.
  const needsAll =
    fields.some(({ rowType }) => rowType !== undefined) ||
    embeds.some(({ node: { from } }) => from.kind === 'related' && from.relationship.kind === 'computed');
  if (needsAll || columns.some(({ kind }) => kind === 'all')) return undefined;
  return new Set([
    ...fields.map(({ name }) => name),
    ...embeds.flatMap(({ node: { from } }) => keysOf(from)),
  ]);
}

function fieldsOf(expression: Expression): PlannedField[] {
  return expression.kind === 'field' ? [expression.field] : [];
}

function keysOf(from: ReadNode['from']): string[] {
  if (from.kind !== 'related') return [];
  const { relationship } = from;
  switch (relationship.kind) {
    case 'key':
      return relationship.columns.map(([column]) => column);
    case 'junction':
      return relationship.fromColumns.map(([column]) => column);
    case 'computed':
      return [];
  }
}
