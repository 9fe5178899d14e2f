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

describe('relationships', () => {
  it.each<[string, string, string, string[]]>([
    [
      'a foreign key',
      'play',
      'author',
      ['many-to-one play_author_id_fkey author_id=id', 'many-to-one far_author()'],
    ],
    ['its inverse', 'author', 'play', ['one-to-many play_author_id_fkey id=author_id']],
    ['one to one by the primary key', 'programme', 'play', ['one-to-one programme_play_id_fkey play_id=id']],
    ['its inverse', 'play', 'programme', ['one-to-one programme_play_id_fkey id=play_id']],
    ['one to one by a unique constraint', 'poster', 'play', ['one-to-one poster_play_id_fkey play_id=id']],
    [
      'one to one by a unique constraint in another order',
      'cushion',
      'seat',
      ['one-to-one cushion_hall_number_fkey hall=hall,number=number'],
    ],
    [
      'many to one with a unique index alone',
      'review',
      'play',
      ['many-to-one review_play_id_fkey play_id=id'],
    ],
    [
      'two keys to one table',
      'contract',
      'actor',
      ['many-to-one contract_actor actor_id=id', 'many-to-one contract_understudy understudy_id=id'],
    ],
    ['a key of two columns', 'ticket', 'seat', ['many-to-one ticket_seat hall=hall,number=number']],
    ['a key of a partitioned table, once', 'play', 'ticket', ['one-to-many ticket_play id=play_id']],
    [
      'a key to a partitioned table, once',
      'refund',
      'ticket',
      ['many-to-one refund_ticket_id_season_fkey ticket_id=id,season=season'],
    ],
    ['none to a partition', 'leaflet', 'ticket_2025', []],
    [
      'a self-reference in both directions, and functions',
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
      'a self-reference that is one to one',
      'author',
      'author',
      ['one-to-one author_rival_id_fkey id=rival_id', 'one-to-one author_rival_id_fkey rival_id=id'],
    ],
    [
      'many to many, also by a view of a hidden table',
      'play',
      'actor',
      ['many-to-many helper id=play_id actor_id=id', 'many-to-many role id=play_id actor_id=id'],
    ],
    [
      'many to many, from the other side',
      'actor',
      'play',
      ['many-to-many helper id=actor_id play_id=id', 'many-to-many role id=actor_id play_id=id'],
    ],
    ['a function in place of what was detected', 'play', 'review', ['one-to-many review()']],
    ['a function where nothing was detected', 'actor', 'author', ['many-to-one author()']],
    ['none through a hidden table', 'costume', 'actor', []],
  ])('%s: %s with %s', (_, from, to, expected) => {
    expect(between(from, to)).toEqual(expected);
  });

  it.each<[string, string, string, string[]]>([
    ['from a view', 'open_play', 'author', ['many-to-one play_author_id_fkey author_id=id']],
    ['to a view', 'role', 'open_play', ['many-to-one role_play_id_fkey play_id=id']],
    [
      'to a materialised view',
      'contract',
      'actor_list',
      [
        'many-to-one contract_actor actor_id=actor_number',
        'many-to-one contract_understudy understudy_id=actor_number',
      ],
    ],
    [
      'between a view and itself',
      'open_play',
      'open_play',
      ['one-to-many play_sequel_of_fkey id=sequel_of', 'many-to-one play_sequel_of_fkey sequel_of=id'],
    ],
    [
      'of a view of a view of a hidden table',
      'costume',
      'play',
      ['many-to-one costume_play_id_fkey worn_in=id'],
    ],
    ['between views', 'costume', 'open_play', ['many-to-one costume_play_id_fkey worn_in=id']],
    [
      'once for each column that shows a key',
      'twice',
      'author',
      ['many-to-one play_author_id_fkey signed=id', 'many-to-one play_author_id_fkey wrote=id'],
    ],
    [
      'of columns with odd names',
      'ticket',
      'odd {names) \\ here',
      ['many-to-one ticket_seat hall=ha{ll,number=num) :resno 7'],
    ],
    [
      'through a common table expression',
      'by_common_table',
      'author',
      ['many-to-one play_author_id_fkey author_id=id'],
    ],
    ['none of a view that shows half of a key', 'ticket', 'half_seat', []],
    ['none of a union', 'everybody', 'contract', []],
    ['none of a column that was calculated with', 'by_join', 'author', []],
    ['none through a view that is hidden', 'lost_costume', 'play', []],
  ])('of views: %s: %s with %s', (_, from, to, expected) => {
    expect(between(from, to)).toEqual(expected);
  });

  it('may lead to another schema, but to none that is hidden', () => {
    expect(between('playbill', 'play', ['annex', 'theatre'])).toEqual([
      'many-to-one playbill_play_id_fkey play_id=id',
    ]);
    expect(between('playbill', 'stamp', ['annex', 'backstage'])).toEqual([]);
    expect(between('play', 'costume', ['theatre', 'backstage'])).toEqual([]);
  });

  it('tell on which side the key is, and which ends are views', () => {
    const [found] = (cache.relationships.get(keyOf({ schema: 'theatre', name: 'open_play' })) ?? []).filter(
      ({ to }) => to.name === 'poster',
    );
    expect(found).toMatchObject({ isParent: true, isFromView: true, isToView: false });
  });

  it('are complete in the whole fixture', () => checkAll(cache.relationships, cache.relations));
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

describe('relationships of any schema', () => {
  it('have their inverses, and nothing hidden in them', () => {
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
