import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import { type Column, keyOf, type Relation, type SchemaCache } from './schema-cache.ts';

let studio: Studio;
let cache: SchemaCache;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
  cache = studio.cache;
});
afterAll(() => studio.close());

function requireRelation(name: string, schema = 'theatre'): Relation {
  const relation = cache.relations.get(keyOf({ schema, name }));
  if (!relation) throw new Error(`no relation ${schema}.${name}`);
  return relation;
}

const none: Column = {
  name: '',
  description: null,
  isNullable: true,
  type: '',
  baseType: '',
  maxLength: null,
  default: null,
  enumLabels: [],
};
const GENRES = ['tragedy', 'comedy', 'farce'];

describe('columns of a relation', () => {
  it.each<Partial<Column> & { name: string }>([
    { name: 'id', isNullable: false, type: 'integer', baseType: 'integer' },
    {
      name: 'title',
      isNullable: false,
      type: 'theatre.subtitle',
      baseType: 'character varying',
      maxLength: 80,
    },
    {
      name: 'slug',
      type: 'character varying(40)',
      baseType: 'character varying',
      maxLength: 40,
      default: "'untitled'::character varying",
    },
    { name: 'code', type: 'character(6)', baseType: 'character', maxLength: 6 },
    { name: 'flags', type: 'bit(8)', baseType: 'bit', maxLength: 8 },
    {
      name: 'mood',
      type: 'theatre.mood',
      baseType: 'theatre.genre',
      default: "'comedy'::theatre.genre",
      enumLabels: GENRES,
    },
    {
      name: 'genre',
      isNullable: false,
      type: 'theatre.genre',
      baseType: 'theatre.genre',
      default: "'tragedy'::theatre.genre",
      enumLabels: GENRES,
    },
    { name: 'price', type: 'numeric(8,2)', baseType: 'numeric' },
    { name: 'tags', type: 'text[]', baseType: 'text[]' },
    { name: 'light', type: 'theatre.colour', baseType: 'integer' },
    { name: 'loud_title', type: 'text', baseType: 'text' },
  ])('have type, default and enum labels: $name', (expected) => {
    expect(requireRelation('play').columns.get(expected.name)).toEqual({ ...none, ...expected });
  });

  it('have the default of an identity unless it is always generated', () => {
    expect(requireRelation('author').columns.get('id')?.default).toBe("nextval('theatre.author_id_seq')");
    expect(requireRelation('play').columns.get('id')?.default).toBeNull();
  });

  it('are in the order of the table without dropped columns', () => {
    expect([...requireRelation('play').columns.keys()].slice(-3)).toEqual([
      'author_id',
      'sequel_of',
      'loud_title',
    ]);
  });

  it('are empty for a view without columns', () => {
    expect(requireRelation('nothing').columns.size).toBe(0);
  });

  it('have comments, like the relation', () => {
    const author = requireRelation('author');
    expect([author.description, author.columns.get('name')?.description]).toEqual([
      'Who writes plays',
      'As on the poster',
    ]);
  });
});

describe('writability of a relation', () => {
  it.each([
    ['is complete for a table', 'play', 'insert update delete', false],
    ['is complete for a partitioned table', 'ticket', 'insert update delete', false],
    ['is complete for a simple view', 'open_play', 'insert update delete', true],
    ['is complete for a view of a view', 'costume', 'insert update delete', true],
    ['is missing for a view of a join', 'by_join', '', true],
    ['is insert for a view with an INSTEAD OF INSERT trigger', 'seen_by_trigger', 'insert', true],
    ['is missing for a materialised view', 'actor_list', '', true],
    ['is missing for a read-only foreign table', 'tour', '', false],
  ])('%s', (_, name, expected, isView) => {
    const relation = requireRelation(name);
    const can = [
      relation.isInsertable && 'insert',
      relation.isUpdatable && 'update',
      relation.isDeletable && 'delete',
    ];
    expect({ can: can.filter(Boolean).join(' '), isView: relation.isView }).toEqual({
      can: expected,
      isView,
    });
  });
});

describe('the primary key', () => {
  it.each([
    ['of a table is its key', 'play', ['id']],
    ['of two columns is ordered by name', 'role', ['actor_id', 'play_id']],
    ['of a partitioned table is its key', 'ticket', ['id', 'season']],
    ['of a view is the key that it contains', 'open_play', ['id']],
    ['of a nested view has the names of the view', 'costume', ['costume_id']],
    ['of a materialised view is the key that it contains', 'actor_list', ['actor_number']],
    ['of a view with two copies is the first copy', 'twice', ['first_id']],
    ['of a view supports unusual names', 'odd {names) \\ here', ['ha{ll', 'num) :resno 7']],
    ['of a view contains the keys of two tables', 'by_join', ['actor_id', 'play_id']],
    ['of a view is found through a common table expression', 'by_common_table', ['play']],
    ['of a view with half of a key is empty', 'half_seat', []],
    ['of a view of a union is empty', 'everybody', []],
    ['of a view through a hidden view is empty', 'lost_costume', []],
    ['of a foreign table is empty', 'tour', []],
  ])('%s', (_, name, expected) => {
    expect(requireRelation(name).primaryKey).toEqual(expected);
  });
});

describe('relations of the schema cache', () => {
  it('belong to the exposed schemas', () => {
    expect(new Set([...cache.relations.values()].map(({ schema }) => schema))).toEqual(
      new Set(['theatre', 'annex']),
    );
  });

  it.each(['ticket_2025', 'ticket_2026', 'ticket_2026_first'])('exclude partitions: %s', (name) => {
    expect(cache.relations.has(keyOf({ schema: 'theatre', name }))).toBe(false);
  });
});
