import { describe, expect, it } from 'vitest';
import * as CONSTANTS from '../../constants.ts';
import { planRequests } from './batch.ts';

const folder = 'https://app.example/api/_icons/';
const settings = { folder, maxUrlCharacters: CONSTANTS.icon.maxUrlCharacters };

describe('planRequests', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['lucide:sun'], [`${folder}lucide.json?icons=sun`]],
    [['lucide:sun', 'lucide:check', 'lucide:sun'], [`${folder}lucide.json?icons=check,sun`]],
    [
      ['lucide:sun', 'greenroom:google'],
      [`${folder}greenroom.json?icons=google`, `${folder}lucide.json?icons=sun`],
    ],
  ])('plans %j', (names, expected) => {
    expect(planRequests(names, settings).map(({ url }) => url)).toEqual(expected);
  });

  const start = `${folder}lucide.json?icons=`.length;
  it.each([
    [500, 1],
    [501, 2],
  ])('makes for a URL of %i characters %i requests', (length, requests) => {
    const first = 'a'.repeat(100);
    const second = 'b'.repeat(length - start - first.length - 1);
    const planned = planRequests([`lucide:${first}`, `lucide:${second}`], settings);
    expect(planned).toHaveLength(requests);
    expect(planned.flatMap(({ icons }) => icons)).toEqual([`lucide:${first}`, `lucide:${second}`]);
  });

  it('never exceeds 500 characters and omits no icon', () => {
    const names = Array.from({ length: 300 }, (_, index) => `lucide:icon-number-${index}`);
    const planned = planRequests(names, settings);
    expect(Math.max(...planned.map(({ url }) => url.length))).toBeLessThanOrEqual(500);
    expect(planned.flatMap(({ icons }) => icons).sort()).toEqual([...names].sort());
  });

  it('keeps a name that is longer than any URL', () => {
    const long = `lucide:${'x'.repeat(600)}`;
    expect(planRequests([long, 'lucide:sun'], settings).map(({ icons }) => icons)).toEqual([
      ['lucide:sun'],
      [long],
    ]);
  });
});
