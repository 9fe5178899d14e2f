import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import { ambiguousHint, describeCandidates, missingHint } from './describe-candidates.ts';
import { findRelationships } from './find-relationship.ts';
import type { Relationship, SchemaCache } from './schema-cache.ts';

let studio: Studio;
let cache: SchemaCache;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
  cache = studio.cache;
});
afterAll(() => studio.close());

/** `target!hint`, as in an embed. */
function find(origin: string, words: string, schema = 'theatre'): Relationship[] {
  const [target = '', hint] = words.split('!');
  return findRelationships(cache, { schema, name: origin }, { target, hint });
}

function nameOf(relationship: Relationship): string {
  const { to, cardinality } = relationship;
  switch (relationship.kind) {
    case 'key':
      return `${to.name} ${cardinality} by ${relationship.constraint}`;
    case 'junction':
      return `${to.name} ${cardinality} by ${relationship.junction.name}`;
    case 'computed':
      return `${to.name} ${cardinality} by function ${relationship.function.name}`;
  }
}

describe('findRelationships', () => {
  it.each<[string, string, string, string[]]>([
    ['finds a key by the name of the relation', 'role', 'play', ['play many-to-one by role_play_id_fkey']],
    ['finds a key by the constraint', 'role', 'role_play_id_fkey', ['play many-to-one by role_play_id_fkey']],
    ['finds a key by the column', 'role', 'play_id', ['play many-to-one by role_play_id_fkey']],
    ['finds the inverse of a key', 'play', 'role', ['role one-to-many by role_play_id_fkey']],
    [
      'finds a key by the name of a view',
      'role',
      'open_play',
      ['open_play many-to-one by role_play_id_fkey'],
    ],
    [
      'finds a key of a view by the constraint',
      'open_play',
      'play_author_id_fkey',
      ['author many-to-one by play_author_id_fkey'],
    ],
    ['finds a key of a view by its column', 'twice', 'wrote', ['author many-to-one by play_author_id_fkey']],
    ['finds a computed relationship', 'play', 'sequels', ['play one-to-many by function sequels']],
    [
      'ignores the hint for a computed relationship',
      'play',
      'sequels!x',
      ['play one-to-many by function sequels'],
    ],
    [
      'prefers a computed relationship to a relation',
      'play',
      'review',
      ['review one-to-many by function review'],
    ],
    [
      'finds all keys to one relation',
      'contract',
      'actor',
      ['actor many-to-one by contract_actor', 'actor many-to-one by contract_understudy'],
    ],
    [
      'finds one of several keys by constraint',
      'contract',
      'actor!contract_actor',
      ['actor many-to-one by contract_actor'],
    ],
    [
      'finds one of several keys by column',
      'contract',
      'actor!understudy_id',
      ['actor many-to-one by contract_understudy'],
    ],
    [
      'finds the inverse of one of several keys by column',
      'actor',
      'contract!understudy_id',
      ['contract one-to-many by contract_understudy'],
    ],
    [
      'finds all keys by the referenced column',
      'contract',
      'actor!id',
      ['actor many-to-one by contract_actor', 'actor many-to-one by contract_understudy'],
    ],
    [
      'finds several junctions',
      'play',
      'actor',
      ['actor many-to-many by helper', 'actor many-to-many by role'],
    ],
    ['finds one of several junctions', 'play', 'actor!role', ['actor many-to-many by role']],
    [
      'finds all keys of a view by constraint',
      'twice',
      'author!play_author_id_fkey',
      ['author many-to-one by play_author_id_fkey', 'author many-to-one by play_author_id_fkey'],
    ],
    ['finds a self-reference by the relation', 'play', 'play', ['play one-to-many by play_sequel_of_fkey']],
    [
      'finds a self-reference by the column',
      'play',
      'sequel_of',
      ['play many-to-one by play_sequel_of_fkey'],
    ],
    [
      'finds a self-reference by relation and column',
      'play',
      'play!sequel_of',
      ['play one-to-many by play_sequel_of_fkey'],
    ],
    ['finds no self-reference by a wrong hint', 'play', 'play!author_id', []],
    ['finds no self-reference by the constraint', 'play', 'play_sequel_of_fkey', []],
    ['finds no self-reference that is one-to-one', 'author', 'author', []],
    ['finds no composite key by one of its columns', 'ticket', 'hall', []],
    ['finds a composite key by the constraint', 'ticket', 'ticket_seat', ['seat many-to-one by ticket_seat']],
    ['finds nothing by an unknown hint', 'contract', 'actor!nothing', []],
    ['finds no junction by a constraint', 'play', 'actor!role_play_id_fkey', []],
    ['finds nothing by a constraint with a hint', 'role', 'role_play_id_fkey!play_id', []],
    ['finds no relation of another schema', 'play', 'playbill', []],
    ['finds no function of another schema', 'play', 'far_author', []],
    ['finds no unknown relation', 'play', 'nothing', []],
    ['finds nothing for an unknown origin', 'nowhere', 'play', []],
  ])('%s: %s with %s', (_, origin, words, expected) => {
    expect(find(origin, words).map(nameOf)).toEqual(expected);
  });

  it('finds no relationship between schemas', () => {
    expect(find('playbill', 'play', 'annex')).toEqual([]);
  });
});

describe('errors about relationships', () => {
  it('describe keys and the accepted hints', () => {
    const found = find('contract', 'actor');
    expect(describeCandidates(found)).toEqual([
      {
        cardinality: 'many-to-one',
        embedding: 'contract with actor',
        relationship: 'contract_actor using contract(actor_id) and actor(id)',
      },
      {
        cardinality: 'many-to-one',
        embedding: 'contract with actor',
        relationship: 'contract_understudy using contract(understudy_id) and actor(id)',
      },
    ]);
    expect(ambiguousHint('actor', found)).toBe(
      "Try changing 'actor' to one of the following: 'actor!contract_actor', 'actor!contract_understudy'. Find the desired relationship in the 'details' key.",
    );
  });

  it('describe junctions', () => {
    const found = find('play', 'actor!role');
    expect(describeCandidates(found)).toEqual([
      {
        cardinality: 'many-to-many',
        embedding: 'play with actor',
        relationship: 'role using role_play_id_fkey(play_id) and role_actor_id_fkey(actor_id)',
      },
    ]);
    expect(ambiguousHint('actor', found)).toContain("'actor!role'");
  });

  it('describe inverse, one-to-one and computed relationships', () => {
    expect(describeCandidates([...find('seat', 'cushion'), ...find('play', 'sequels')])).toEqual([
      {
        cardinality: 'one-to-one',
        embedding: 'seat with cushion',
        relationship: 'cushion_hall_number_fkey using seat(hall, number) and cushion(hall, number)',
      },
      { cardinality: 'one-to-many', embedding: 'play with play', relationship: 'sequels(play)' },
    ]);
    expect(ambiguousHint('x', find('play', 'sequels'))).toContain("'sequels'");
  });

  it.each([
    ['a misspelled target', 'play', 'programe', "Perhaps you meant 'programme' instead of 'programe'."],
    ['a misspelled origin', 'contrac', 'actor', "Perhaps you meant 'contract' instead of 'contrac'."],
    ['a correct target', 'contract', 'actor', null],
    ['an unknown target', 'contract', 'zzzzzz', null],
    ['an unknown origin', 'zzzzzz', 'actor', null],
    ['a correct origin without relationships', 'tour', 'actor', null],
  ])('return a hint or null for %s', (_, origin, target, expected) => {
    expect(missingHint(cache, { schema: 'theatre', name: origin }, target)).toBe(expected);
  });

  it('contain no names of another schema', () => {
    expect(missingHint(cache, { schema: 'annex', name: 'playbil' }, 'play')).toContain("'playbill'");
    expect(missingHint(cache, { schema: 'annex', name: 'playbill' }, 'pla')).toBeNull();
  });
});
