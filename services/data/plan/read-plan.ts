/**
 * From a query to a tree of what is to be read. Knows the schema cache and says what cannot be meant; columns are not
 * looked up, since PostgreSQL also takes functions of a row for them, and refuses all others.
 */
import { failure } from '../errors.ts';
import type { At, Field, Filter, Logic, OrderTerm, Query, SelectEmbed, SelectItem } from '../query/ast.ts';
import { keyOf, type QualifiedName, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { Aliases } from './aliases.ts';
import { planField, planFilter, planLogic } from './condition-plan.ts';
import { findEmbed, nodeAt } from './embed-path.ts';
import { planColumns } from './output-plan.ts';
import type { Embed, Expression, NodeSource, Order, ReadNode } from './read-node.ts';
import { isToOne, requireRelationship } from './relationship.ts';
import { type Slots, slotsOf } from './slots.ts';

/** What is read. */
export interface ReadTarget {
  /** What the rows are: a relation, or, of a function, the type that it returns. */
  relation: QualifiedName;
  /** The name of a common table expression that has the rows, where a write or a call has made them. */
  cte?: string;
}

/** How it is read. */
export interface ReadOptions {
  /** The query's own ones where not given. */
  slots?: Slots;
  /** Slots of limit and offset of the rows themselves, which also the header Range decides. */
  limit?: number | undefined;
  offset?: number | undefined;
  /** `db-max-rows`: no relation gives more rows than this, embedded or not. */
  maxRows?: number | undefined;
  /** `db-aggregates-enabled`. */
  allowsAggregates?: boolean;
  /**
   * Rows that were written are shown: conditions have picked them before, and nothing is limited. Those of embeds stay.
   */
  isWrite?: boolean;
  /** Whether paths may call an embed by its relation although it has an alias. They may where not given. */
  allowsTargetNames?: boolean;
}

/**
 * Plans a read.
 * @throws PGRST200, PGRST201, PGRST108, PGRST118, PGRST123, PGRST127
 */
export function planRead(
  query: Query,
  cache: SchemaCache,
  target: ReadTarget,
  options: ReadOptions = {},
): ReadNode {
  const planner = new ReadPlanner(query, cache, target, options);
  return planner.plan();
}

/**
 * Optional to-one embeds of one query that PostgreSQL may join in any order. Its planner tries these orders, and each
 * further embed costs more than the one before: with 50 embeds it needs 2.8 s and 300 MB, with 38 of them fenced 45 ms
 * and 34 MB. An embed with a limit is never joined, nor is one that has many rows.
 */
const MOST_JOINED_EMBEDS = 12;

const ALL: readonly SelectItem[] = [{ kind: 'all' }];

class ReadPlanner {
  readonly #query: Query;
  readonly #cache: SchemaCache;
  readonly #target: ReadTarget;
  readonly #options: ReadOptions;
  readonly #slots: Slots;
  readonly #aliases: Aliases;
  #joinedEmbeds = 0;

  constructor(query: Query, cache: SchemaCache, target: ReadTarget, options: ReadOptions) {
    this.#query = query;
    this.#cache = cache;
    this.#target = target;
    this.#options = options;
    this.#slots = options.slots ?? slotsOf(query);
    this.#aliases = new Aliases([target.relation.name, ...(target.cte === undefined ? [] : [target.cte])]);
  }

  plan(): ReadNode {
    const { relation, cte } = this.#target;
    const from: NodeSource =
      cte === undefined ? { kind: 'relation', name: relation } : { kind: 'cte', name: cte };
    // As upstream has it: to select nothing at all is to select everything.
    const select = this.#query.select.length === 0 ? ALL : this.#query.select;
    const root = this.#node(relation, from, relation.name, select, false, 0);
    root.limit = this.#options.limit;
    root.offset = this.#options.offset;
    this.#addConditions(root);
    this.#addOrders(root);
    if (!this.#options.isWrite) this.#addLimits(root);
    return root;
  }

  #node(
    relation: QualifiedName,
    from: NodeSource,
    alias: string,
    select: readonly SelectItem[],
    isSpread: boolean,
    depth: number,
  ): ReadNode {
    const known = this.#cache.relations.get(keyOf(relation));
    const node: ReadNode = {
      relation: known,
      from,
      rowType: from.kind === 'cte' && known !== undefined ? relation : undefined,
      alias,
      columns: [],
      isGrouped: false,
      conditions: [],
      order: [],
      limit: undefined,
      offset: undefined,
      maxRows: this.#options.isWrite ? undefined : this.#options.maxRows,
      isFenced: false,
      embeds: [],
    };
    const embeds = new Map<SelectItem, Embed>();
    for (const item of select) {
      if (item.kind === 'embed') embeds.set(item, this.#embed(relation, alias, item, depth + 1));
    }
    node.embeds = [...embeds.values()];
    node.columns = planColumns(node, select, embeds, {
      slots: this.#slots,
      representations: this.#cache.representations,
      allowsAggregates: this.#options.allowsAggregates ?? false,
      isSpread,
    });
    node.isGrouped = node.columns.some((column) => column.kind === 'column' && column.aggregate);
    return node;
  }

  #embed(origin: QualifiedName, parent: string, item: SelectEmbed, depth: number): Embed {
    const { target, alias, join, select, isSpread } = item;
    const relationship = requireRelationship(this.#cache, origin, item);
    const own = this.#aliases.next(relationship.to.name);
    const junction = relationship.kind === 'junction' ? this.#aliases.next(relationship.junction.name) : '';
    const from: NodeSource = { kind: 'related', relationship, parent, junction };
    const isOptionalRow = isToOne(relationship) && join !== 'inner';
    const isFenced = isOptionalRow && ++this.#joinedEmbeds > MOST_JOINED_EMBEDS;
    const node = this.#node(relationship.to, from, own, select, isSpread, depth);
    node.isFenced = isFenced;
    const name = alias ?? target;
    return {
      node,
      name,
      target,
      alias: isSpread ? this.#aliases.next(name) : this.#aliases.ofResult(origin.name, name, depth),
      isToOne: isToOne(relationship),
      isSpread,
      isInner: join === 'inner',
      isEmpty: node.columns.length === 0,
      lifted: new Map(),
      sortKeys: [],
      isCalledByTarget: false,
    };
  }

  #nodeAt(root: ReadNode, path: readonly string[]): ReadNode {
    return nodeAt(root, path, this.#options.allowsTargetNames ?? true);
  }

  #addConditions(root: ReadNode): void {
    const context = { slots: this.#slots, representations: this.#cache.representations };
    const add = <T>(entries: readonly At<T>[], plan: (node: ReadNode, value: T) => void) => {
      for (const { path, value } of entries) {
        if (path.length > 0 || !this.#options.isWrite) plan(this.#nodeAt(root, path), value);
      }
    };
    add<Filter>(this.#query.filters, (node, filter) =>
      node.conditions.push(planFilter(context, node, filter)),
    );
    add<Logic>(this.#query.logic, (node, logic) => node.conditions.push(planLogic(context, node, logic)));
  }

  #addOrders(root: ReadNode): void {
    for (const { path, value } of this.#query.order) {
      const node = this.#nodeAt(root, path);
      node.order.push(...value.map((term) => this.#order(node, term)));
    }
  }

  #order(node: ReadNode, { field, relation, direction, nulls }: OrderTerm): Order {
    if (relation === undefined) {
      return {
        by: { kind: 'field', field: planField(this.#slots, node, field) },
        direction,
        nulls,
      };
    }
    const embed = findEmbed(node, relation, false);
    if (!embed.isToOne) {
      throw failure('PGRST118', {
        message: `A related order on '${relation}' is not possible`,
        extra: {
          details: `'${nameOf(node)}' and '${relation}' do not form a many-to-one or one-to-one relationship`,
        },
      });
    }
    const column = field.path.length === 0 ? embed.lifted.get(field.name) : undefined;
    if (column !== undefined) return { by: { kind: 'lifted', embed, column }, direction, nulls };
    const index = embed.sortKeys.push(this.#sortKey(embed.node, field)) - 1;
    return { by: { kind: 'sort key', embed, index }, direction, nulls };
  }

  /** A name that the client has given to a column comes before that of a column which is not shown. */
  #sortKey(node: ReadNode, field: Field): Expression {
    const { columns } = node;
    const shown = columns.find((column) => column.kind === 'column' && column.name === field.name);
    if (shown?.kind === 'column' && field.path.length === 0 && shown.aggregate === undefined) {
      return shown.expression;
    }
    const planned = planField(this.#slots, node, field);
    return { kind: 'field', field: planned, format: undefined, cast: undefined };
  }

  /** Those of the relation itself are known by their slots already. */
  #addLimits(root: ReadNode): void {
    for (const at of this.#query.limits) {
      if (at.path.length > 0) this.#nodeAt(root, at.path).limit = this.#slots.of(at);
    }
    for (const at of this.#query.offsets) {
      if (at.path.length > 0) this.#nodeAt(root, at.path).offset = this.#slots.of(at);
    }
  }
}

/** Results of functions have no name that a client knows. */
function nameOf({ relation, from }: ReadNode): string {
  return relation?.name ?? (from.kind === 'relation' ? from.name.name : '');
}
