/** Random reads of the studio database as trees, which can be printed as query strings. */
import fc from 'fast-check';

/** A relation of the studio database, and its embeds: the target as in a URL, its relation, and its number of rows. */
interface TreeRelation {
  key: readonly string[];
  /** Columns of numbers. */
  columns: readonly string[];
  embeds: Readonly<Record<string, readonly [relation: string, rows: 'one' | 'many']>>;
}

export const TREE_RELATIONS: Readonly<Record<string, TreeRelation>> = {
  films: {
    key: ['id'],
    columns: ['id', 'year', 'director_id'],
    embeds: {
      directors: ['directors', 'one'],
      synopses: ['synopses', 'one'],
      sequel_of: ['films', 'one'],
      first_sequel: ['films', 'one'],
      actors: ['actors', 'many'],
      roles: ['roles', 'many'],
      screenings: ['screenings', 'many'],
      rivals: ['films', 'many'],
    },
  },
  directors: {
    key: ['id'],
    columns: ['id'],
    embeds: { films: ['films', 'many'], recent_films: ['recent_films', 'many'] },
  },
  recent_films: {
    key: ['id'],
    columns: ['id', 'director_id'],
    embeds: { directors: ['directors', 'one'], screenings: ['screenings', 'many'] },
  },
  synopses: { key: ['film_id'], columns: ['film_id'], embeds: { films: ['films', 'one'] } },
  actors: { key: ['id'], columns: ['id'], embeds: { films: ['films', 'many'], roles: ['roles', 'many'] } },
  roles: {
    key: ['film_id', 'actor_id'],
    columns: ['film_id', 'actor_id'],
    embeds: { films: ['films', 'one'], actors: ['actors', 'one'] },
  },
  screenings: {
    key: ['id'],
    columns: ['id', 'film_id', 'sold'],
    embeds: { films: ['films', 'one'], tickets: ['tickets', 'many'] },
  },
  tickets: { key: ['id'], columns: ['id', 'price'], embeds: { screenings: ['screenings', 'one'] } },
};

/** Embeds by a function, which has no rows of its own that an aggregate could count. */
const COMPUTED = ['first_sequel', 'rivals'];

/** A condition on one column. */
export interface TreeFilter {
  column: string;
  isNegated: boolean;
  operator: 'eq' | 'neq' | 'gt' | 'in' | 'is';
  /** None for `is`, which tests for null; several for `in`. */
  values: readonly (number | string)[];
}

/** The rows of one relation. They are ordered by `sortBy`, a to-one embed, and by their key. */
export interface TreeNode {
  relation: string;
  /** Alias of the only column: the first of the key, or the number of rows. None makes the embed a mere condition. */
  column: string | undefined;
  /** `count()` is an aggregate of the grammar, `count` one that PostgreSQL finds by the name of a column. */
  aggregate: 'count()' | 'count' | undefined;
  filters: readonly TreeFilter[];
  limit: number | undefined;
  offset: number | undefined;
  sortBy: string | undefined;
  embeds: readonly TreeEmbed[];
}

export interface TreeEmbed {
  /** The name that paths refer to. */
  name: string;
  target: string;
  isToOne: boolean;
  isInner: boolean;
  isSpread: boolean;
  /** A test on the parent whether the embed has rows. */
  mustExist: boolean | undefined;
  node: TreeNode;
}

/** Trees with films as their root, which has no limits. */
export function filmTrees(): fc.Arbitrary<TreeNode> {
  return nodes('films', 'r', 3).map((node) => ({ ...node, limit: undefined, offset: undefined }));
}

function nodes(relation: string, path: string, depth: number): fc.Arbitrary<TreeNode> {
  const { columns, embeds } = relationOf(relation);
  const targets = depth === 0 ? [] : Object.keys(embeds);
  return fc
    .subarray(targets, { maxLength: Math.min(2, targets.length) })
    .chain((chosen) =>
      fc.record({
        filters: fc.array(filters(relation, columns), { maxLength: 2 }),
        limit: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 1, 2),
        offset: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 1),
        isSorted: fc.boolean(),
        embeds: fc.tuple(
          ...chosen.map((target, index) => treeEmbeds(relation, target, `${path}_${index}`, depth - 1)),
        ),
      }),
    )
    .map(({ isSorted, ...rest }) => {
      const sortable = rest.embeds.find(({ isToOne, node }) => isToOne && node.aggregate === undefined);
      const sortBy = isSorted ? sortable?.name : undefined;
      return { ...rest, relation, column: `${path}_c`, aggregate: undefined, sortBy };
    });
}

function treeEmbeds(parent: string, target: string, path: string, depth: number): fc.Arbitrary<TreeEmbed> {
  const [relation, rows] = relationOf(parent).embeds[target] ?? ['', 'many'];
  return fc
    .record({
      node: nodes(relation, path, depth),
      kind: fc.constantFrom('rows', 'rows', 'rows', 'rows', 'spread', 'empty', 'count()', 'count'),
      isInner: fc.constantFrom(true, true, false),
      mustExist: fc.constantFrom(undefined, undefined, undefined, undefined, true, false),
    })
    .map(({ node, kind, ...rest }) => {
      const isSpread = kind === 'spread';
      const shown = COMPUTED.includes(target) && kind.startsWith('count') ? node : shownAs(node, kind);
      return {
        ...rest,
        name: isSpread ? target : path,
        target,
        isToOne: rows === 'one',
        isSpread,
        node: shown,
      };
    });
}

function shownAs(node: TreeNode, kind: string): TreeNode {
  const leaf = { ...node, embeds: [], sortBy: undefined };
  if (kind === 'empty') return { ...leaf, column: undefined };
  return kind === 'count' || kind === 'count()' ? { ...leaf, aggregate: kind } : node;
}

function filters(relation: string, columns: readonly string[]): fc.Arbitrary<TreeFilter> {
  const isNegated = fc.constantFrom(false, false, true);
  const value = fc.constantFrom(1, 1, 2, 3, 10, 1995);
  const one = fc.record({
    column: fc.constantFrom(...columns),
    isNegated,
    operator: fc.constantFrom('eq' as const, 'neq' as const, 'gt' as const),
    values: fc.tuple(value),
  });
  const many = fc.record({
    column: fc.constantFrom(...columns),
    isNegated,
    operator: fc.constant('in' as const),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  });
  const nulls = fc.record({
    column: fc.constantFrom(...columns),
    isNegated,
    operator: fc.constant('is' as const),
    values: fc.constant([]),
  });
  const plain = fc.oneof({ weight: 4, arbitrary: one }, { weight: 2, arbitrary: many }, nulls);
  if (relation !== 'films') return plain;
  // A computed field.
  const computed = fc.record({
    column: fc.constant('shout'),
    isNegated,
    operator: fc.constant('eq' as const),
    values: fc.constantFrom(['BLUE TRAIN'], ['THE WHITE DOG']),
  });
  return fc.oneof({ weight: 8, arbitrary: plain }, computed);
}

/** Returns the query string of a tree. */
export function printTree(root: TreeNode): string {
  const parameters = [`select=${printSelect(root)}`];
  const visit = (node: TreeNode, path: string) => {
    for (const { column, isNegated, operator, values } of node.filters) {
      const not = isNegated ? 'not.' : '';
      parameters.push(`${path}${column}=${not}${operator}.${printValues(operator, values)}`);
    }
    if (node.aggregate === undefined && node.column !== undefined)
      parameters.push(`${path}order=${orderOf(node)}`);
    if (node.limit !== undefined) parameters.push(`${path}limit=${node.limit}`);
    if (node.offset !== undefined) parameters.push(`${path}offset=${node.offset}`);
    for (const embed of node.embeds) {
      if (embed.mustExist !== undefined)
        parameters.push(`${path}${embed.name}=${embed.mustExist ? 'not.is' : 'is'}.null`);
      visit(embed.node, `${path}${embed.name}.`);
    }
  };
  visit(root, '');
  return parameters.join('&');
}

function printSelect(node: TreeNode): string {
  const { column, aggregate, relation, embeds } = node;
  const own = column === undefined ? [] : [`${column}:${aggregate ?? relationOf(relation).key[0]}`];
  return [...own, ...embeds.map(printEmbed)].join(',');
}

function printEmbed({ name, target, isInner, isSpread, node }: TreeEmbed): string {
  return `${isSpread ? '...' : `${name}:`}${target}${isInner ? '!inner' : ''}(${printSelect(node)})`;
}

function printValues(operator: TreeFilter['operator'], values: readonly (number | string)[]): string {
  if (operator === 'is') return 'null';
  return operator === 'in' ? `(${values.join(',')})` : String(values[0]);
}

function orderOf({ relation, sortBy, embeds }: TreeNode): string {
  const { key } = relationOf(relation);
  const sorted = embeds.find(({ name }) => name === sortBy);
  if (sorted === undefined) return key.join(',');
  return [`${sorted.name}(${relationOf(sorted.node.relation).key[0]}).desc.nullslast`, ...key].join(',');
}

/** Returns a relation that exists. */
export function relationOf(name: string): TreeRelation {
  const relation = TREE_RELATIONS[name];
  if (relation === undefined) throw new Error(`no relation ${name}`);
  return relation;
}
