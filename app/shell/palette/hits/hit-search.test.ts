import { describe, expect, it } from 'vitest';
import { type HitEvent, type HitSearch, NO_SEARCH, nextHitSearch, shownHits } from './hit-search.ts';
import type { Hit, Hits } from './hits.ts';

const hit = (label: string, detail = '', words: string[] = []): Hit => ({
  to: `/${label}`,
  label,
  detail,
  words,
});
const hitsOf = (changes: Partial<Hits>): Hits => ({
  people: [],
  tables: [],
  settings: [],
  allUsers: null,
  ...changes,
});
const typed = (text: string): HitEvent => ({ type: 'typed', text });
const failed = (query: string): HitEvent => ({ type: 'failed', query, problem: 'offline' });
const run = (...events: HitEvent[]) => events.reduce(nextHitSearch, NO_SEARCH);

const ADA = hitsOf({
  people: [hit('Ada', 'ada@example.org'), hit('Adam', 'x@example.org', ['+4915'])],
  tables: [hit('public.adapters', 'Table')],
  allUsers: '/admin/users?q=ada',
});
const foundAda: HitEvent = { type: 'found', query: 'ada', hits: ADA };

describe('nextHitSearch', () => {
  it.each<[string, HitEvent[], HitSearch]>([
    ['stays off for one character', [typed(' a ')], NO_SEARCH],
    [
      'searches from two characters on',
      [typed(' ad ')],
      { kind: 'searching', query: 'ad', former: undefined },
    ],
    ['has the hits of its text', [typed('ada'), foundAda], { kind: 'found', query: 'ada', hits: ADA }],
    [
      'keeps the former hits while it searches for another text',
      [typed('ada'), foundAda, typed('adam')],
      { kind: 'searching', query: 'adam', former: ADA },
    ],
    [
      'keeps the former hits through several texts and a failure',
      [typed('ada'), foundAda, typed('adam'), typed('adams'), failed('adams')],
      { kind: 'failed', query: 'adams', former: ADA, problem: 'offline' },
    ],
    [
      'does not search again for the same text',
      [typed('ada'), foundAda, typed('ada ')],
      { kind: 'found', query: 'ada', hits: ADA },
    ],
    ['forgets the hits when the text is deleted', [typed('ada'), foundAda, typed('')], NO_SEARCH],
    [
      'ignores hits of a former text',
      [typed('ada'), typed('bob'), foundAda],
      { kind: 'searching', query: 'bob', former: undefined },
    ],
    [
      'ignores the failure of a former text',
      [typed('ada'), typed('bob'), failed('ada')],
      { kind: 'searching', query: 'bob', former: undefined },
    ],
    ['ignores hits after the text is deleted', [typed('ada'), typed(''), foundAda], NO_SEARCH],
    [
      'repeats a failed search',
      [typed('ada'), failed('ada'), { type: 'retry' }],
      { kind: 'searching', query: 'ada', former: undefined },
    ],
    [
      'repeats no search that succeeded',
      [typed('ada'), foundAda, { type: 'retry' }],
      { kind: 'found', query: 'ada', hits: ADA },
    ],
    ['repeats nothing if there was no search', [{ type: 'retry' }], NO_SEARCH],
  ])('%s', (_name, events, state) => {
    expect(run(...events)).toEqual(state);
  });
});

describe('shownHits', () => {
  const labels = (...events: HitEvent[]) => {
    const hits = shownHits(run(...events));
    return hits && [...hits.people, ...hits.tables, ...hits.settings].map(({ label }) => label);
  };

  it('returns all hits of the text, as the server has sent them', () => {
    expect(shownHits(run(typed('ada'), foundAda))).toBe(ADA);
  });

  it.each([
    ['adam', ['Adam']],
    ['ada example', ['Ada', 'Adam']],
    ['ada@example', ['Ada', 'Adam']],
    ['4915', ['Adam']],
    ['ada table', ['public.adapters']],
    ['bob', []],
    ['??', []],
  ])('returns of former hits those that match %j in a text', (text, expected) => {
    expect(labels(typed('ada'), foundAda, typed(text))).toEqual(expected);
    expect(labels(typed('ada'), foundAda, typed(text), failed(text))).toEqual(expected);
  });

  it('returns no link to the list of users with a former text', () => {
    expect(shownHits(run(typed('ada'), foundAda, typed('adam')))?.allUsers).toBeNull();
  });

  it.each<[string, HitEvent[]]>([
    ['before a search', []],
    ['during the first search', [typed('ada')]],
    ['after the first search failed', [typed('ada'), failed('ada')]],
    ['after the text is deleted', [typed('ada'), foundAda, typed('')]],
  ])('returns nothing %s', (_name, events) => {
    expect(labels(...events)).toBeUndefined();
  });
});
