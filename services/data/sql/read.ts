/** SQL that reads the rows of a node, with a lateral subquery for each embed. */
import { isJoined } from '../plan/plain-rows.ts';
import type { Embed, Order, ReadNode } from '../plan/read-node.ts';
import type { ColumnPair } from '../schema-cache/schema-cache.ts';
import { conditionSql } from './condition.ts';
import { fieldSql } from './field.ts';
import { columnsSql, groupBySql, sortKeyName, sortKeysSql, VALUE } from './select.ts';
import { EMPTY, type Fragment, integer, join, name, parameter, qualified, sql } from './sql.ts';

/** Returns a query for the rows of a node, with its columns, order and limits. */
export function rowsSql(node: ReadNode): Fragment {
  return selectSql(node, columnsSql(node));
}

/**
 * Returns a query for all rows of a node without columns, order and limits, for COUNT and EXISTS. Inner-joined embeds
 * become conditions.
 */
export function bareRowsSql(node: ReadNode): Fragment {
  const needed = node.embeds.filter(({ isInner }) => isInner).map(existsSql);
  return sql`select from ${fromSql(node)}${whereSql([...conditionsOf(node), ...needed])}`;
}

function selectSql(node: ReadNode, columns: readonly Fragment[]): Fragment {
  const joins = node.embeds.filter(isJoined).map(lateralSql);
  const needed = node.embeds.filter(isCondition).map(existsSql);
  const where = whereSql([...conditionsOf(node), ...needed]);
  const from = sql`from ${fromSql(node)}${join(joins, '')}${where}`;
  return sql`select ${join(columns, ', ')} ${from}${groupBySql(node)}${orderSql(node)}${rangeSql(node)}`;
}

function isCondition(embed: Embed): boolean {
  return embed.hasSemiJoin || (embed.isInner && !isJoined(embed));
}

function existsSql({ node }: Embed): Fragment {
  return sql`exists (${bareRowsSql(node)})`;
}

function fromSql({ from, alias }: ReadNode): Fragment {
  const as = name(alias);
  switch (from.kind) {
    case 'relation':
      return sql`${qualified(from.name)} as ${as}`;
    case 'cte':
      return sql`${name(from.name)} as ${as}`;
    case 'related': {
      const { relationship, parent, junction } = from;
      switch (relationship.kind) {
        case 'key':
          return sql`${qualified(relationship.to)} as ${as}`;
        case 'junction': {
          const on = pairsSql(relationship.toColumns, junction, alias);
          return sql`${qualified(relationship.to)} as ${as} join ${qualified(relationship.junction)} as ${name(junction)} on ${join(on, ' and ')}`;
        }
        case 'computed':
          // The rows of a call or a write have no named type, so the cast selects the overload of the function.
          return sql`${qualified(relationship.function)}(${name(parent)}.*::${qualified(relationship.from)}) as ${as}`;
      }
    }
  }
}

/** Returns the join conditions to the parent and the conditions of the client. */
function conditionsOf(node: ReadNode): Fragment[] {
  const own = node.conditions.map((condition) => conditionSql(node.alias, condition, existsSql));
  return [...joinConditions(node), ...own];
}

function joinConditions({ from, alias }: ReadNode): Fragment[] {
  if (from.kind !== 'related') return [];
  const { relationship, parent, junction } = from;
  switch (relationship.kind) {
    case 'key':
      return pairsSql(relationship.columns, parent, alias);
    case 'junction':
      return pairsSql(relationship.fromColumns, parent, junction);
    case 'computed':
      // The function receives the parent row as its argument, so it needs no join condition. A function that does not
      // return a set always returns one row, which is all nulls if it finds nothing.
      return [];
  }
}

function pairsSql(pairs: readonly ColumnPair[], left: string, right: string): Fragment[] {
  return pairs.map(([from, to]) => sql`${name(left, from)} = ${name(right, to)}`);
}

function whereSql(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? EMPTY : sql` where ${join(conditions, ' and ')}`;
}

function lateralSql(embed: Embed): Fragment {
  const kind = embed.isInner ? sql`inner` : sql`left`;
  return sql` ${kind} join lateral (${embedSql(embed)}) as ${name(embed.alias)} on true`;
}

function embedSql(embed: Embed): Fragment {
  if (embed.isToOne) return toOneSql(embed);
  const columns = embed.isSpread
    ? columnNames(embed).map((column) => {
        return sql`coalesce(json_agg(${name(embed.alias, column)}), '[]') as ${name(column)}`;
      })
    : [sql`coalesce(json_agg(${name(embed.alias)}.*), '[]') as ${name(VALUE)}`];
  // Without HAVING, the aggregate would return a row with an empty array for a parent without rows.
  const having = embed.isInner ? sql` having count(*) > 0` : EMPTY;
  return sql`select ${join(columns, ', ')} from (${rowsSql(embed.node)}) as ${name(embed.alias)}${having}`;
}

function toOneSql(embed: Embed): Fragment {
  const { node, alias, isSpread, isEmpty } = embed;
  const sortKeys = sortKeysSql(embed);
  if (isSpread) return selectSql(node, [...columnsSql(node), ...sortKeys]);
  if (isEmpty) return selectSql(node, sortKeys);
  const row = sql`row_to_json(${name(alias)}.*)`;
  if (sortKeys.length === 0)
    return sql`select ${row} as ${name(VALUE)} from (${rowsSql(node)}) as ${name(alias)}`;
  // Sort keys are not necessarily part of the shown row.
  const value = sql`(select ${row} from (select ${join(columnsSql(node), ', ')}) as ${name(alias)}) as ${name(VALUE)}`;
  return selectSql(node, [value, ...sortKeys]);
}

function columnNames({ node }: Embed): string[] {
  return node.columns.flatMap((column) => (column.kind === 'column' ? [column.name] : []));
}

function orderSql({ alias, order }: ReadNode): Fragment {
  if (order.length === 0) return EMPTY;
  return sql` order by ${join(
    order.map((term) => termSql(alias, term)),
    ', ',
  )}`;
}

function termSql(alias: string, { by, direction, nulls }: Order): Fragment {
  const key = sortedSql(alias, by);
  const directed = direction === undefined ? key : direction === 'asc' ? sql`${key} asc` : sql`${key} desc`;
  if (nulls === undefined) return directed;
  return nulls === 'first' ? sql`${directed} nulls first` : sql`${directed} nulls last`;
}

function sortedSql(alias: string, by: Order['by']): Fragment {
  switch (by.kind) {
    case 'field':
      return fieldSql(alias, by.field);
    case 'lifted':
      return name(by.embed.alias, by.column);
    case 'sort key':
      return sql`${name(by.embed.alias)}.${sortKeyName(by.index)}`;
  }
}

function rangeSql(node: ReadNode): Fragment {
  const { offset, isFenced } = node;
  const rows = limitSql(node);
  // OFFSET 0 does not change the rows, but prevents PostgreSQL from merging the subquery into the outer query.
  if (isFenced && rows === undefined && offset === undefined) return sql` offset 0`;
  const limited = rows === undefined ? EMPTY : sql` limit ${rows}`;
  return offset === undefined ? limited : sql`${limited} offset ${parameter(offset)}`;
}

/** Returns the maximum number of rows of a node, or undefined if it has no limit. */
export function limitSql({ limit, maxRows }: ReadNode): Fragment | undefined {
  if (limit === undefined) return maxRows === undefined ? undefined : integer(maxRows);
  if (maxRows === undefined) return parameter(limit);
  return sql`least(${parameter(limit)}::bigint, ${integer(maxRows)})`;
}
