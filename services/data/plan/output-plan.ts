/** Plans select lists: the columns of a node, including aggregates. */
import { failure } from '../errors.ts';
import type { SelectField, SelectItem } from '../query/ast.ts';
import { lastKeyOf } from '../query/shape.ts';
import type { Representation } from '../schema-cache/schema-cache.ts';
import { findFormat, planField } from './condition-plan.ts';
import type { Aggregate, Embed, Expression, Output, ReadNode } from './read-node.ts';
import type { Slots } from './slots.ts';

interface OutputContext {
  slots: Slots;
  representations: readonly Representation[];
  allowsAggregates: boolean;
  /** Whether the parent spreads the columns of the node into its own. */
  isSpread: boolean;
}

type Column = Extract<Output, { kind: 'column' }>;

/**
 * Plans the select list of a node. Aggregates of a spread embed move to the node, because its rows are the ones to
 * aggregate; the embed keeps plain columns.
 *
 * @throws PGRST123 if aggregates are disabled, PGRST127 for aggregates in a spread to-many embed
 */
export function planColumns(
  node: ReadNode,
  select: readonly SelectItem[],
  embeds: ReadonlyMap<SelectItem, Embed>,
  context: OutputContext,
): Output[] {
  const outputs = select.flatMap((item) => planItem(node, item, embeds.get(item), context));
  const isExpanded = context.isSpread || outputs.some(isAggregate) || hasFormats(node, context);
  return isExpanded
    ? outputs.flatMap((output) => (output.kind === 'all' ? allColumns(node, context) : [output]))
    : outputs;
}

function planItem(
  node: ReadNode,
  item: SelectItem,
  embed: Embed | undefined,
  context: OutputContext,
): Output[] {
  switch (item.kind) {
    case 'all':
      return [{ kind: 'all' }];
    case 'count': {
      const aggregate = allowed({ name: 'count', cast: item.cast }, context);
      return [{ kind: 'column', name: item.alias ?? 'count', expression: { kind: 'row' }, aggregate }];
    }
    case 'field':
      return [planColumn(node, item, context)];
    case 'embed':
      return planEmbedColumns(embed);
  }
}

function planColumn(node: ReadNode, item: SelectField, context: OutputContext): Column {
  const field = planField(context.slots, node, item.field);
  const format = findFormat(context.representations, field);
  const aggregate = item.aggregate && allowed(item.aggregate, context);
  const ownName = aggregate?.name ?? lastKeyOf(item.field.path) ?? item.field.name;
  const expression: Expression = { kind: 'field', field, format, cast: item.cast };
  return { kind: 'column', name: item.alias ?? ownName, expression, aggregate };
}

function allowed(aggregate: Aggregate, { allowsAggregates }: OutputContext): Aggregate {
  if (!allowsAggregates) throw failure('PGRST123');
  return aggregate;
}

function isAggregate(output: Output): boolean {
  return output.kind === 'column' && output.aggregate !== undefined;
}

function hasFormats({ relation }: ReadNode, { representations }: OutputContext): boolean {
  if (representations.length === 0 || relation === undefined) return false;
  return representations.some(
    ({ sourceType, targetType }) =>
      targetType === 'json' && relation.columns.values().some(({ type }) => type === sourceType),
  );
}

/** Expands `*` to the columns in the schema cache. */
function allColumns({ relation }: ReadNode, { representations }: OutputContext): Column[] {
  return [...(relation?.columns.values() ?? [])].map((column) => {
    const field = { name: column.name, column, rowType: undefined, path: [] };
    const format = findFormat(representations, field);
    const expression: Expression = { kind: 'field', field, format, cast: undefined };
    return { kind: 'column', name: column.name, expression, aggregate: undefined };
  });
}

function planEmbedColumns(embed: Embed | undefined): Output[] {
  if (embed === undefined || embed.isEmpty) return [];
  if (embed.isSpread) return lift(embed);
  return [{ kind: 'column', name: embed.name, expression: { kind: 'embed', embed }, aggregate: undefined }];
}

/**
 * Moves the columns of a spread embed to its parent. Within the embed, the columns get numbered names, because the
 * names that clients choose are not necessarily unique.
 */
function lift(embed: Embed): Output[] {
  const { node, isToOne } = embed;
  const columns = node.columns.filter((column) => column.kind === 'column');
  if (!isToOne && node.isGrouped) {
    throw failure('PGRST127', {
      extra: { details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.' },
    });
  }
  embed.lifted = new Map(
    columns.flatMap(({ name, aggregate }, index) =>
      aggregate === undefined ? [[name, columnName(index)] as const] : [],
    ),
  );
  node.columns = columns.map((column, index) => ({
    ...column,
    name: columnName(index),
    aggregate: undefined,
  }));
  node.isGrouped = false;
  return columns.map(({ name, expression, aggregate }, index) => ({
    kind: 'column',
    name,
    expression: {
      kind: 'lifted',
      embed,
      column: columnName(index),
      isJson: !isToOne || isJson(expression),
    },
    aggregate,
  }));
}

function columnName(index: number): string {
  return `column_${index + 1}`;
}

function isJson(expression: Expression): boolean {
  return expression.kind === 'embed' || (expression.kind === 'lifted' && expression.isJson);
}
