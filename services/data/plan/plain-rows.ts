/**
 * Decides whether the rows of a node are those of its relation. An aggregate returns a row even if it has nothing to
 * aggregate, and an embed may have a limit of its own; then a query without columns and limits finds other rows.
 */
import type { Embed, Expression, ReadNode } from './read-node.ts';

/** Whether the result of an embed is used, so that the embed is joined. Otherwise it is only a condition. */
export function isJoined({ isEmpty, sortKeys }: Embed): boolean {
  return !isEmpty || sortKeys.length > 0;
}

/**
 * Whether an embed, and its inner embeds, have no aggregates, so that it returns rows only if its relation contains rows
 * that match the conditions.
 */
export function hasPlainRows({ node, sortKeys }: Embed): boolean {
  return (
    !mayAggregate(node, sortKeys) && node.embeds.every((embed) => !isRequired(embed) || hasPlainRows(embed))
  );
}

/**
 * Whether a node returns, apart from its own limit and offset, exactly one row for each row of its relation that matches
 * its conditions and inner embeds.
 */
export function returnsEachRow(node: ReadNode): boolean {
  const joined = node.embeds.filter(isJoined);
  return !mayAggregate(node) && joined.every((embed) => hasOneRow(embed) && findsEachRow(embed));
}

/** Whether an inner embed excludes a parent only if no row of its relation matches. */
function findsEachRow(embed: Embed): boolean {
  if (!isRequired(embed)) return true;
  const { node, sortKeys } = embed;
  const isLimited = node.limit !== undefined || node.offset !== undefined || node.maxRows === 0;
  return !isLimited && !mayAggregate(node, sortKeys) && node.embeds.every(findsEachRow);
}

/** Whether an embed never multiplies the rows of its parent. A view or a function may return several rows for one key. */
function hasOneRow({ node: { from, relation }, isToOne }: Embed): boolean {
  if (!isToOne) return true;
  return from.kind === 'related' && from.relationship.kind === 'key' && relation?.isView === false;
}

function isRequired(embed: Embed): boolean {
  return embed.isInner && isJoined(embed);
}

/** A name that is not a column may call an aggregate with the rows as its argument: `count` is `count(films)`. */
function mayAggregate(
  { isGrouped, columns, order }: ReadNode,
  sortKeys: readonly Expression[] = [],
): boolean {
  return (
    isGrouped ||
    sortKeys.some(isUnknown) ||
    columns.some((column) => column.kind === 'column' && isUnknown(column.expression)) ||
    order.some(({ by }) => by.kind === 'field' && by.field.column === undefined)
  );
}

function isUnknown(expression: Expression): boolean {
  return expression.kind === 'field' && expression.field.column === undefined;
}
