import { describe, expect, it } from 'vitest';
import { loadRecent, MAX_RECENT, parseRecent, saveRecent, withRecent } from './recent.ts';

describe('withRecent', () => {
  it.each([
    ['the first command', [], 'a', ['a']],
    ['another command', ['a'], 'b', ['b', 'a']],
    ['a command once more', ['a', 'b', 'c'], 'c', ['c', 'a', 'b']],
    ['the newest command once more', ['a', 'b'], 'a', ['a', 'b']],
    ['a command beyond the limit', ['a', 'b', 'c', 'd', 'e'], 'f', ['f', 'a', 'b', 'c', 'd']],
  ])('adds %s', (_name, recent, id, expected) => {
    expect(withRecent(recent, id)).toEqual(expected);
  });
});

describe('parseRecent', () => {
  it.each([
    [null, []],
    ['', []],
    ['["a","b"]', ['a', 'b']],
    ['["a",1,null,"b"]', ['a', 'b']],
    ['{"length":3}', []],
    ['"a"', []],
    ['[not JSON', []],
    [JSON.stringify([...'0123456789']), ['0', '1', '2', '3', '4']],
  ])('parses %o as %o', (text, expected) => {
    expect(parseRecent(text)).toEqual(expected);
    expect(expected.length).toBeLessThanOrEqual(MAX_RECENT);
  });
});

describe('the list in the browser', () => {
  it('is saved', () => {
    const storage = new Map<string, string>();
    const browser = {
      localStorage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => void storage.set(key, value),
      },
    } as unknown as Window;
    saveRecent(browser, 'a');
    saveRecent(browser, 'b');
    expect(loadRecent(browser)).toEqual(['b', 'a']);
  });

  it('is empty if storage is blocked', () => {
    const browser = {
      get localStorage() {
        throw new Error('blocked');
      },
    } as unknown as Window;
    saveRecent(browser, 'a');
    expect(loadRecent(browser)).toEqual([]);
  });
});
