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

describe('finding relationships', () => {
  it.each<[string, string, string, string[]]>([
    ['by the name of the relation', 'role', 'play', ['play many-to-one by role_play_id_fkey']],
    ['by the constraint', 'role', 'role_play_id_fkey', ['play many-to-one by role_play_id_fkey']],
    ['by the column', 'role', 'play_id', ['play many-to-one by role_play_id_fkey']],
    ['from the other side', 'play', 'role', ['role one-to-many by role_play_id_fkey']],
    ['by the name of a view', 'role', 'open_play', ['open_play many-to-one by role_play_id_fkey']],
    [
      'from a view, by the constraint',
      'open_play',
      'play_author_id_fkey',
      ['author many-to-one by play_author_id_fkey'],
    ],
    ['from a view, by its column', 'twice', 'wrote', ['author many-to-one by play_author_id_fkey']],
    ['a function', 'play', 'sequels', ['play one-to-many by function sequels']],
    ['a function, whatever the hint', 'play', 'sequels!x', ['play one-to-many by function sequels']],
    ['a function in place of a relation', 'play', 'review', ['review one-to-many by function review']],
    [
      'several keys to one relation',
      'contract',
      'actor',
      ['actor many-to-one by contract_actor', 'actor many-to-one by contract_understudy'],
    ],
    [
      'one of them by constraint',
      'contract',
      'actor!contract_actor',
      ['actor many-to-one by contract_actor'],
    ],
    [
      'one of them by column',
      'contract',
      'actor!understudy_id',
      ['actor many-to-one by contract_understudy'],
    ],
    [
      'one of them by column, from the other side',
      'actor',
      'contract!understudy_id',
      ['contract one-to-many by contract_understudy'],
    ],
    [
      'all of them by the column that they refer to',
      'contract',
      'actor!id',
      ['actor many-to-one by contract_actor', 'actor many-to-one by contract_understudy'],
    ],
    ['several junctions', 'play', 'actor', ['actor many-to-many by helper', 'actor many-to-many by role']],
    ['one of them', 'play', 'actor!role', ['actor many-to-many by role']],
    [
      'a view by constraint',
      'twice',
      'author!play_author_id_fkey',
      ['author many-to-one by play_author_id_fkey', 'author many-to-one by play_author_id_fkey'],
    ],
    ['a self-reference, by the relation', 'play', 'play', ['play one-to-many by play_sequel_of_fkey']],
    ['a self-reference, by the column', 'play', 'sequel_of', ['play many-to-one by play_sequel_of_fkey']],
    [
      'a self-reference, by the relation and the column',
      'play',
      'play!sequel_of',
      ['play one-to-many by play_sequel_of_fkey'],
    ],
    ['a self-reference, by a wrong hint', 'play', 'play!author_id', []],
    ['a self-reference, by the constraint', 'play', 'play_sequel_of_fkey', []],
    ['a self-reference that is one to one', 'author', 'author', []],
    ['a key of two columns, by one of them', 'ticket', 'hall', []],
    ['a key of two columns, by the constraint', 'ticket', 'ticket_seat', ['seat many-to-one by ticket_seat']],
    ['a hint that names nothing', 'contract', 'actor!nothing', []],
    ['a junction by a constraint', 'play', 'actor!role_play_id_fkey', []],
    ['a constraint with a hint', 'role', 'role_play_id_fkey!play_id', []],
    ['a relation of another schema', 'play', 'playbill', []],
    ['a function of another schema', 'play', 'far_author', []],
    ['a relation that is not there', 'play', 'nothing', []],
    ['an origin that is not there', 'nowhere', 'play', []],
  ])('%s: %s with %s', (_, origin, words, expected) => {
    expect(find(origin, words).map(nameOf)).toEqual(expected);
  });

  it('does not lead from one schema to another', () => {
    expect(find('playbill', 'play', 'annex')).toEqual([]);
  });
});

describe('what errors say', () => {
  it('describes keys, and what may be written instead', () => {
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

  it('describes junctions', () => {
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

  it('describes inverses, one to one, and functions', () => {
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
    ['a target with a slip', 'play', 'programe', "Perhaps you meant 'programme' instead of 'programe'."],
    ['an origin with a slip', 'contrac', 'actor', "Perhaps you meant 'contract' instead of 'contrac'."],
    ['a target that is right', 'contract', 'actor', null],
    ['a target like none', 'contract', 'zzzzzz', null],
    ['an origin like none', 'zzzzzz', 'actor', null],
    ['an origin without relationships, which is right', 'tour', 'actor', null],
  ])('hints at %s', (_, origin, target, expected) => {
    expect(missingHint(cache, { schema: 'theatre', name: origin }, target)).toBe(expected);
  });

  it('hints at nothing of another schema', () => {
    expect(missingHint(cache, { schema: 'annex', name: 'playbil' }, 'play')).toContain("'playbill'");
    expect(missingHint(cache, { schema: 'annex', name: 'playbill' }, 'pla')).toBeNull();
  });
});
