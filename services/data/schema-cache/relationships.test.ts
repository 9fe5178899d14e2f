import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import type { ForeignKey, KeyColumn } from './keys.ts';
import { deriveRelationships } from './relationships.ts';
import {
  type ColumnPair,
  type ComputedRelationship,
  keyOf,
  type Relationship,
  type SchemaCache,
} from './schema-cache.ts';
import type { TracedView } from './view-columns.ts';

let studio: Studio;
let cache: SchemaCache;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
  cache = studio.cache;
});
afterAll(() => studio.close());

const columnsOf = (pairs: readonly ColumnPair[]) => pairs.map(([from, to]) => `${from}=${to}`).join(',');

function describeRelationship(relationship: Relationship): string {
  const { cardinality } = relationship;
  switch (relationship.kind) {
    case 'key':
      return `${cardinality} ${relationship.constraint} ${columnsOf(relationship.columns)}`;
    case 'junction': {
      const { fromColumns, toColumns, junction } = relationship;
      return `${cardinality} ${junction.name} ${columnsOf(fromColumns)} ${columnsOf(toColumns)}`;
    }
    case 'computed':
      return `${cardinality} ${relationship.function.name}()`;
  }
}

function between(from: string, to: string, [fromSchema, toSchema] = ['theatre', 'theatre']): string[] {
  const all = cache.relationships.get(keyOf({ schema: fromSchema ?? '', name: from })) ?? [];
  return all
    .filter((one) => one.to.name === to && one.to.schema === toSchema)
    .map((relationship) => describeRelationship(relationship));
}

describe('relationships of the schema cache', () => {
  it.each<[string, string, string, string[]]>([
    [
      'contain foreign keys',
      'play',
      'author',
      ['many-to-one play_author_id_fkey author_id=id', 'many-to-one far_author()'],
    ],
    ['contain inverse foreign keys', 'author', 'play', ['one-to-many play_author_id_fkey id=author_id']],
    [
      'are one-to-one for a primary key',
      'programme',
      'play',
      ['one-to-one programme_play_id_fkey play_id=id'],
    ],
    [
      'are inverse one-to-one for a primary key',
      'play',
      'programme',
      ['one-to-one programme_play_id_fkey id=play_id'],
    ],
    [
      'are one-to-one for a unique constraint',
      'poster',
      'play',
      ['one-to-one poster_play_id_fkey play_id=id'],
    ],
    [
      'are one-to-one for a unique constraint in another order',
      'cushion',
      'seat',
      ['one-to-one cushion_hall_number_fkey hall=hall,number=number'],
    ],
    [
      'are many-to-one for a unique index without constraint',
      'review',
      'play',
      ['many-to-one review_play_id_fkey play_id=id'],
    ],
    [
      'contain both keys to one table',
      'contract',
      'actor',
      ['many-to-one contract_actor actor_id=id', 'many-to-one contract_understudy understudy_id=id'],
    ],
    ['contain composite keys', 'ticket', 'seat', ['many-to-one ticket_seat hall=hall,number=number']],
    ['contain a key of a partitioned table once', 'play', 'ticket', ['one-to-many ticket_play id=play_id']],
    [
      'contain a key to a partitioned table once',
      'refund',
      'ticket',
      ['many-to-one refund_ticket_id_season_fkey ticket_id=id,season=season'],
    ],
    ['exclude keys to a partition', 'leaflet', 'ticket_2025', []],
    [
      'contain both directions of a self-reference and functions',
      'play',
      'play',
      [
        'one-to-many play_sequel_of_fkey id=sequel_of',
        'many-to-one play_sequel_of_fkey sequel_of=id',
        'many-to-one next_play()',
        'one-to-many sequels()',
      ],
    ],
    [
      'contain both directions of a one-to-one self-reference',
      'author',
      'author',
      ['one-to-one author_rival_id_fkey id=rival_id', 'one-to-one author_rival_id_fkey rival_id=id'],
    ],
    [
      'are many-to-many for junction tables and views',
      'play',
      'actor',
      ['many-to-many helper id=play_id actor_id=id', 'many-to-many role id=play_id actor_id=id'],
    ],
    [
      'are many-to-many in the other direction',
      'actor',
      'play',
      ['many-to-many helper id=actor_id play_id=id', 'many-to-many role id=actor_id play_id=id'],
    ],
    ['contain a function in place of a key', 'play', 'review', ['one-to-many review()']],
    ['contain a function without a key', 'actor', 'author', ['many-to-one author()']],
    ['exclude junctions that are hidden', 'costume', 'actor', []],
  ])('%s: %s with %s', (_, from, to, expected) => {
    expect(between(from, to)).toEqual(expected);
  });

  it.each<[string, string, string, string[]]>([
    ['lead from a view', 'open_play', 'author', ['many-to-one play_author_id_fkey author_id=id']],
    ['lead to a view', 'role', 'open_play', ['many-to-one role_play_id_fkey play_id=id']],
    [
      'lead to a materialised view',
      'contract',
      'actor_list',
      [
        'many-to-one contract_actor actor_id=actor_number',
        'many-to-one contract_understudy understudy_id=actor_number',
      ],
    ],
    [
      'lead from a view to itself',
      'open_play',
      'open_play',
      ['one-to-many play_sequel_of_fkey id=sequel_of', 'many-to-one play_sequel_of_fkey sequel_of=id'],
    ],
    [
      'lead from a nested view of a hidden table',
      'costume',
      'play',
      ['many-to-one costume_play_id_fkey worn_in=id'],
    ],
    ['lead from a view to another', 'costume', 'open_play', ['many-to-one costume_play_id_fkey worn_in=id']],
    [
      'are repeated for each copy of a key',
      'twice',
      'author',
      ['many-to-one play_author_id_fkey signed=id', 'many-to-one play_author_id_fkey wrote=id'],
    ],
    [
      'support columns with unusual names',
      'ticket',
      'odd {names) \\ here',
      ['many-to-one ticket_seat hall=ha{ll,number=num) :resno 7'],
    ],
    [
      'are found through a common table expression',
      'by_common_table',
      'author',
      ['many-to-one play_author_id_fkey author_id=id'],
    ],
    ['exclude a view with half of a key', 'ticket', 'half_seat', []],
    ['exclude a view of a union', 'everybody', 'contract', []],
    ['exclude computed columns', 'by_join', 'author', []],
    ['exclude views through a hidden view', 'lost_costume', 'play', []],
  ])('%s: %s with %s', (_, from, to, expected) => {
    expect(between(from, to)).toEqual(expected);
  });

  it('lead to other exposed schemas, but not to hidden ones', () => {
    expect(between('playbill', 'play', ['annex', 'theatre'])).toEqual([
      'many-to-one playbill_play_id_fkey play_id=id',
    ]);
    expect(between('playbill', 'stamp', ['annex', 'backstage'])).toEqual([]);
    expect(between('play', 'costume', ['theatre', 'backstage'])).toEqual([]);
  });

  it('state the side of the key and which ends are views', () => {
    const [found] = (cache.relationships.get(keyOf({ schema: 'theatre', name: 'open_play' })) ?? []).filter(
      ({ to }) => to.name === 'poster',
    );
    expect(found).toMatchObject({ isParent: true, isFromView: true, isToView: false });
  });

  it('are symmetric and contain nothing hidden', () => checkAll(cache.relationships, cache.relations));
});

/** Each relationship has its inverse, and nothing in it is hidden. */
function checkAll(
  relationships: ReadonlyMap<string, readonly Relationship[]>,
  relations: ReadonlyMap<string, unknown>,
): void {
  const all = [...relationships.values()].flat();
  const texts = new Set(all.map((relationship) => JSON.stringify(endsOf(relationship))));
  const replaced = new Set(
    all.flatMap((one) => (one.kind === 'computed' ? [keyOf(one.from) + keyOf(one.function)] : [])),
  );
  for (const [key, list] of relationships) {
    for (const relationship of list) {
      expect(keyOf(relationship.from)).toBe(key);
      const ends = [relationship.from, relationship.to];
      if (relationship.kind === 'junction') ends.push(relationship.junction);
      expect(ends.filter((end) => !relations.has(keyOf(end)))).toEqual([]);
      expect(relationship.isSelf).toBe(keyOf(relationship.from) === keyOf(relationship.to));
      if (relationship.kind === 'computed') continue;
      if (replaced.has(keyOf(relationship.to) + keyOf(relationship.from))) continue;
      expect(texts).toContain(JSON.stringify(endsOf(inverse(relationship))));
    }
  }
}

/** What makes a relationship the one it is. */
function endsOf(relationship: Relationship): unknown[] {
  const { kind, from, to, cardinality } = relationship;
  switch (relationship.kind) {
    case 'key':
      return [
        kind,
        from,
        to,
        cardinality,
        relationship.constraint,
        relationship.columns,
        relationship.isParent,
      ];
    case 'junction':
      return [
        kind,
        from,
        to,
        relationship.junction,
        [relationship.fromConstraint, relationship.fromColumns],
        [relationship.toConstraint, relationship.toColumns],
      ];
    case 'computed':
      return [kind, from, to, relationship.function];
  }
}

const swapAll = (pairs: readonly ColumnPair[]) => pairs.map(([a, b]): ColumnPair => [b, a]);
const INVERSE = {
  'many-to-one': 'one-to-many',
  'one-to-many': 'many-to-one',
  'one-to-one': 'one-to-one',
} as const;

function inverse(relationship: Exclude<Relationship, ComputedRelationship>): Relationship {
  const ends = { from: relationship.to, to: relationship.from };
  if (relationship.kind === 'junction') {
    const { fromConstraint, toConstraint, fromColumns, toColumns } = relationship;
    return {
      ...relationship,
      ...ends,
      fromConstraint: toConstraint,
      toConstraint: fromConstraint,
      fromColumns: swapAll(toColumns),
      toColumns: swapAll(fromColumns),
    };
  }
  return {
    ...relationship,
    ...ends,
    cardinality: INVERSE[relationship.cardinality],
    columns: swapAll(relationship.columns),
    isParent: relationship.cardinality === 'one-to-one' && !relationship.isParent,
  };
}

/** Schemas of any shape: tables 0 to 5 with columns c0 to c3, tables of even numbers exposed, and views of any of them. */
const TABLES = 6;
const COLUMNS = 4;
const tableName = (table: number) => ({ schema: table % 2 === 0 ? 'open' : 'hidden', name: `t${table}` });
const keyColumn = (table: number, number: number): KeyColumn => ({ table, number, name: `c${number}` });

const tables = fc.nat(TABLES - 1);
const someColumns = fc.uniqueArray(fc.nat(COLUMNS - 1), { minLength: 1, maxLength: 2 });

const foreignKeys = fc
  .array(fc.tuple(tables, tables, someColumns, someColumns, fc.boolean()), { maxLength: 8 })
  .map((keys) =>
    keys.map(([from, to, fromColumns, toColumns, isUnique], index): ForeignKey => {
      const width = Math.min(fromColumns.length, toColumns.length);
      return {
        constraint: `key${index}`,
        from: tableName(from),
        to: tableName(to),
        fromColumns: fromColumns.slice(0, width).map((number) => keyColumn(from, number)),
        toColumns: toColumns.slice(0, width).map((number) => keyColumn(to, number)),
        isUnique,
      };
    }),
  );

const views = fc
  .array(fc.tuple(fc.boolean(), fc.array(fc.tuple(tables, fc.nat(COLUMNS - 1)), { maxLength: 5 })), {
    maxLength: 3,
  })
  .map((list) =>
    list.map(
      ([isOpen, shown], view): TracedView => ({
        schema: isOpen ? 'open' : 'hidden',
        name: `v${view}`,
        columnsOf: ({ table, number }) =>
          shown.flatMap(([t, n], index) => (t === table && n === number ? [`s${index}`] : [])),
      }),
    ),
  );

const computed = fc.array(fc.tuple(tables, tables, tables, fc.boolean()), { maxLength: 4 }).map((list) =>
  list.map(
    ([from, to, name, isToOne]): ComputedRelationship => ({
      kind: 'computed',
      from: tableName(from),
      to: tableName(to),
      isSelf: from === to,
      cardinality: isToOne ? 'many-to-one' : 'one-to-many',
      function: tableName(name),
      isToOne,
    }),
  ),
);

const primaryKeys = fc.array(fc.subarray(['c0', 'c1', 'c2', 'c3', 's0', 's1', 's2']), {
  minLength: TABLES + 3,
  maxLength: TABLES + 3,
});

describe('deriveRelationships', () => {
  it('returns symmetric relationships without hidden relations for any schema', () => {
    fc.assert(
      fc.property(foreignKeys, views, computed, primaryKeys, (keys, someViews, functions, primary) => {
        const names = [...Array.from({ length: TABLES }, (_, table) => tableName(table)), ...someViews];
        const exposed = names
          .filter(({ schema }) => schema === 'open')
          .map(({ schema, name }, index) => ({ schema, name, primaryKey: primary[index] ?? [] }));
        const relations = new Map(exposed.map((relation) => [keyOf(relation), relation]));
        const sources = { relations, foreignKeys: keys, views: someViews, computed: functions };
        const derived = deriveRelationships(sources);
        checkAll(derived, relations);
        const reversed = {
          ...sources,
          foreignKeys: [...keys].reverse(),
          views: [...someViews].reverse(),
        };
        expect(new Map([...deriveRelationships(reversed)].sort())).toEqual(new Map([...derived].sort()));
      }),
    );
  });
});
