import { describe, expect, it } from 'vitest';
import { parseArguments, selectByName } from './arguments.ts';

describe('parseArguments', () => {
  it.each([
    ['an empty command line', [], { only: [], seconds: 10, json: undefined, list: false }],
    [
      'every option',
      ['--only', 'auth,data/csv', '--seconds', '0.5', '--json', 'out.json', '--list'],
      { only: ['auth', 'data/csv'], seconds: 0.5, json: 'out.json', list: true },
    ],
  ])('parses %s', (_, words, expected) => {
    expect(parseArguments(words)).toEqual(expected);
  });

  it.each([
    ['a number that is not a number', ['--seconds', 'ten']],
    ['a duration of zero', ['--seconds', '0']],
    ['a duration that is too long', ['--seconds', '601']],
    ['an unknown option', ['--second', '1']],
    ['a word without an option', ['auth']],
  ])('rejects %s', (_, words) => {
    expect(() => parseArguments(words)).toThrow();
  });
});

describe('selectByName', () => {
  const items = [{ name: 'auth/sign-in' }, { name: 'auth/sign-up' }, { name: 'data/csv' }];

  it.each<[string, string[], string[]]>([
    ['all items without a selection', [], ['auth/sign-in', 'auth/sign-up', 'data/csv']],
    ['an item by its name', ['auth/sign-up'], ['auth/sign-up']],
    [
      'the items of an area, once each, in their order',
      ['data', 'auth/sign-in', 'auth'],
      items.map(({ name }) => name),
    ],
  ])('returns %s', (_, only, expected) => {
    expect(selectByName(items, only).map(({ name }) => name)).toEqual(expected);
  });

  it('rejects an unknown name', () => {
    expect(() => selectByName(items, ['auth', 'dat'])).toThrow('unknown: dat. Known: auth/sign-in');
  });
});
