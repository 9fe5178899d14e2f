import { describe, expect, it } from 'vitest';
import { hitGroups } from './hit-groups.ts';
import type { Hit, Hits } from './hits/hits.ts';

const hit = (to: string): Hit => ({ to, label: `Label of ${to}`, detail: 'Detail', words: ['word'] });
const NONE: Hits = { people: [], tables: [], settings: [], allUsers: null };
const idsOf = (hits: Hits) =>
  hitGroups(hits, 'All users').map(({ name, commands }) => [name, commands.map(({ id }) => id)]);

describe('hitGroups', () => {
  it('has a group for each kind of hits, in the order of the palette', () => {
    const hits = { ...NONE, settings: [hit('/s')], people: [hit('/p1'), hit('/p2')], tables: [hit('/t')] };
    expect(idsOf(hits)).toEqual([
      ['people', ['/p1', '/p2']],
      ['tables', ['/t']],
      ['settings', ['/s']],
    ]);
  });

  it('omits empty groups', () => {
    expect(idsOf(NONE)).toEqual([]);
    expect(idsOf({ ...NONE, tables: [hit('/t')] })).toEqual([['tables', ['/t']]]);
  });

  it('has the list of all users as the last of the people, also if no user was found', () => {
    expect(idsOf({ ...NONE, people: [hit('/p')], allUsers: '/all' })).toEqual([['people', ['/p', '/all']]]);
    expect(idsOf({ ...NONE, allUsers: '/all' })).toEqual([['people', ['/all']]]);
  });

  it('makes each hit a command that goes to its page', () => {
    expect(hitGroups({ ...NONE, people: [hit('/p')] }, '')[0]?.commands[0]).toEqual({
      id: '/p',
      group: 'people',
      label: 'Label of /p',
      detail: 'Detail',
      words: ['word'],
      icon: 'user',
      action: { kind: 'go', to: '/p' },
    });
  });
});
