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

describe('columns', () => {
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
  ])('$name of a play', (expected) => {
    expect(requireRelation('play').columns.get(expected.name)).toEqual({ ...none, ...expected });
  });

  it('have the default of an identity that may be given, and none of one that may not', () => {
    expect(requireRelation('author').columns.get('id')?.default).toBe("nextval('theatre.author_id_seq')");
    expect(requireRelation('play').columns.get('id')?.default).toBeNull();
  });

  it('are in the order of the table, without dropped ones', () => {
    expect([...requireRelation('play').columns.keys()].slice(-3)).toEqual([
      'author_id',
      'sequel_of',
      'loud_title',
    ]);
  });

  it('are none of a view without columns', () => {
    expect(requireRelation('nothing').columns.size).toBe(0);
  });

  it('have their comments, as relations have', () => {
    const author = requireRelation('author');
    expect([author.description, author.columns.get('name')?.description]).toEqual([
      'Who writes plays',
      'As on the poster',
    ]);
  });
});

describe('what can be done with a relation', () => {
  it.each([
    ['a table', 'play', 'insert update delete', false],
    ['a partitioned table', 'ticket', 'insert update delete', false],
    ['a simple view', 'open_play', 'insert update delete', true],
    ['a view of a view', 'costume', 'insert update delete', true],
    ['a view of a join', 'by_join', '', true],
    ['a view with a trigger instead of insert', 'seen_by_trigger', 'insert', true],
    ['a materialised view', 'actor_list', '', true],
    ['a foreign table whose wrapper can do nothing', 'tour', '', false],
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

describe('primary keys', () => {
  it.each([
    ['of a table', 'play', ['id']],
    ['of two columns, in the order of their names', 'role', ['actor_id', 'play_id']],
    ['of a partitioned table', 'ticket', ['id', 'season']],
    ['of a view that shows it', 'open_play', ['id']],
    ['of a view of a view, by their names there', 'costume', ['costume_id']],
    ['of a materialised view', 'actor_list', ['actor_number']],
    ['of a view that shows it twice', 'twice', ['first_id']],
    ['of a view with odd names', 'odd {names) \\ here', ['ha{ll', 'num) :resno 7']],
    ['of a view that shows those of two tables', 'by_join', ['actor_id', 'play_id']],
    ['of a view with a common table expression', 'by_common_table', ['play']],
    ['none of a view that shows half of it', 'half_seat', []],
    ['none of a view of a union', 'everybody', []],
    ['none through a view that is hidden', 'lost_costume', []],
    ['none of a foreign table', 'tour', []],
  ])('%s', (_, name, expected) => {
    expect(requireRelation(name).primaryKey).toEqual(expected);
  });
});

describe('relations', () => {
  it('are those of the exposed schemas, whoever may use them', () => {
    expect(new Set([...cache.relations.values()].map(({ schema }) => schema))).toEqual(
      new Set(['theatre', 'annex']),
    );
  });

  it.each(['ticket_2025', 'ticket_2026', 'ticket_2026_first'])('are no partitions: %s', (name) => {
    expect(cache.relations.has(keyOf({ schema: 'theatre', name }))).toBe(false);
  });
});
