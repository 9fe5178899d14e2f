import { describe, expect, it } from 'vitest';
import { currentSection } from './current-section.ts';

const IDS = ['one', 'two', 'three', 'four'];

describe('currentSection', () => {
  it.each<[string, Record<string, number>, string | undefined, string | undefined]>([
    ['nothing before the first report', {}, undefined, undefined],
    ['nothing while no section is visible', { one: 0, two: 0 }, undefined, undefined],
    ['the first visible section', { one: 0, two: 0.2, three: 0.5, four: 0 }, undefined, 'two'],
    ['the first of several fully visible sections', { one: 1, two: 1, three: 0.1 }, undefined, 'one'],
    ['the last section at the end of the page', { one: 0, two: 0, three: 0.4, four: 1 }, undefined, 'four'],
    ['the first section if the whole page is visible', { one: 1, two: 1 }, undefined, 'one'],
    ['the only section', { two: 1 }, undefined, 'two'],
    ['the chosen section while it is fully visible', { one: 0, two: 0, three: 1, four: 1 }, 'three', 'three'],
    ['the chosen section at the end of the page', { one: 0, two: 0.5, three: 1 }, 'two', 'two'],
    ['no chosen section that is partly visible', { one: 0, two: 0.3, three: 0.3 }, 'three', 'two'],
    ['no chosen section that does not exist', { one: 0.5, two: 0 }, 'five', 'one'],
    ['a section in the order of the page', { three: 0.5, two: 0.5 }, undefined, 'two'],
  ])('returns %s', (_, visible, chosen, expected) => {
    expect(currentSection(IDS, new Map(Object.entries(visible)), chosen)).toBe(expected);
  });
});
