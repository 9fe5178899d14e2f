import { describe, expect, it } from 'vitest';
import { HIT_GROUPS, isHitGroup, parseHitQuery } from './hits.ts';

describe('parseHitQuery', () => {
  it.each([
    ['', undefined],
    [' a ', undefined],
    [' ab ', 'ab'],
    ['a\0b', 'ab'],
    ['a\0', undefined],
    ['x'.repeat(101), 'x'.repeat(100)],
  ])('parses %j as %j', (text, query) => {
    expect(parseHitQuery(text)).toBe(query);
  });
});

it('isHitGroup distinguishes the groups of hits from those of commands', () => {
  expect(HIT_GROUPS.every(isHitGroup)).toBe(true);
  expect(['pages', 'recent', ''].some(isHitGroup)).toBe(false);
});
