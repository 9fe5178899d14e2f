/**
 * Selects the inner embeds that also become a condition `exists (…)` on their parent. PostgreSQL computes a joined embed
 * once for each parent, even if its conditions match few rows. The condition is a semi-join, which PostgreSQL may begin
 * with the rows that match; the embed is then computed for the remaining parents only.
 */

import { hasPlainRows, isJoined } from './plain-rows.ts';
import type { Condition, Embed, ReadNode } from './read-node.ts';
import { isToOne } from './relationship.ts';

/**
 * Maximum number of relations in the semi-joins of one query. PostgreSQL tries the orders of joins, so each relation costs
 * planning time.
 */
const MAX_RELATIONS = 8;

/** Marks the embeds of a planned read. Call this when its conditions, orders and limits are complete. */
export function addSemiJoins(root: ReadNode): void {
  mark(root, MAX_RELATIONS);
}

/** Marks the embeds of a node and of its embeds, parents first. Returns how many relations are left of `budget`. */
function mark(node: ReadNode, budget: number): number {
  let left = budget;
  const isSingle = isSingleRow(node);
  for (const embed of node.embeds) {
    const size = relationsOf(embed);
    if (isSingle || size > left || !isSelective(embed) || !hasPlainRows(embed) || !isRepeatable(embed))
      continue;
    embed.hasSemiJoin = true;
    left -= size;
  }
  return node.embeds.reduce((rest, embed) => mark(embed.node, rest), left);
}

/** Number of relations in the condition. */
function relationsOf({ node: { from, embeds } }: Embed): number {
  const own = from.kind === 'related' && from.relationship.kind === 'junction' ? 2 : 1;
  return embeds.reduce((sum, embed) => (embed.isInner ? sum + relationsOf(embed) : sum), own);
}

/** Whether the node has at most one row for each parent, so that a condition would only repeat the work of the join. */
function isSingleRow({ from, relation, conditions }: ReadNode): boolean {
  if (from.kind === 'related') return isToOne(from.relationship);
  const { primaryKey = [] } = relation ?? {};
  const equal = new Set(conditions.flatMap(equalColumn));
  return primaryKey.length > 0 && primaryKey.every((column) => equal.has(column));
}

function equalColumn(condition: Condition): string[] {
  if (condition.kind !== 'filter' || condition.isNegated || condition.field.path.length > 0) return [];
  const { comparison, field } = condition;
  const isEqual = comparison.kind === 'quantifiable' && comparison.operator === 'eq';
  return isEqual && comparison.quantifier === undefined ? [field.name] : [];
}

/** Whether an inner embed has a condition, on any level, that PostgreSQL would evaluate for one parent after the other. */
function isSelective(embed: Embed): boolean {
  if (!embed.isInner || !isJoined(embed)) return false;
  return isMerged(embed) ? embed.node.embeds.some(isSelective) : isRestricted(embed.node);
}

function isRestricted({ conditions, embeds }: ReadNode): boolean {
  return conditions.length > 0 || embeds.some(({ isInner, node }) => isInner && isRestricted(node));
}

/** Whether PostgreSQL merges the subquery of the embed into the outer query: it is then an ordinary join. */
function isMerged({ isToOne: isOne, node }: Embed): boolean {
  const { order, limit, offset, maxRows, isGrouped, isFenced } = node;
  const isLimited = limit !== undefined || offset !== undefined || maxRows !== undefined;
  return isOne && order.length === 0 && !isLimited && !isGrouped && !isFenced;
}

/**
 * Whether evaluating the embed twice has no effect but time: no function is called for its rows. A view is not repeated
 * either, because PostgreSQL may compute all of its rows for the semi-join, but only those of one parent for the join.
 */
function isRepeatable({ node: { from, relation, conditions, embeds } }: Embed): boolean {
  if (from.kind !== 'related' || from.relationship.kind === 'computed' || relation?.isView !== false)
    return false;
  return (
    conditions.every(isRepeatableCondition) && embeds.every((embed) => !embed.isInner || isRepeatable(embed))
  );
}

/** A name that is not a column is a computed field. */
function isRepeatableCondition(condition: Condition): boolean {
  switch (condition.kind) {
    case 'filter':
      return condition.field.column !== undefined && condition.parse === undefined;
    case 'exists':
      return isRepeatable(condition.embed);
    default:
      return condition.operands.every(isRepeatableCondition);
  }
}
