import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TRIALS } from './catalogue.ts';
import { type Entry, recordEntry, recordedTrials } from './record.ts';

const PAGE = ['# Trials', '', '| Trial | Shows |', '|---|---|', '| `crash` | old |', '', 'After.'].join('\n');
const ENTRY: Entry = {
  trial: 'crash',
  shows: 'Nothing is lost.',
  passed: true,
  result: '3 rounds, 0 lost',
  commit: 'abc1234',
  date: '2026-11-25',
  seconds: 130,
};
const ROW = '| `crash` | Nothing is lost. | 3 rounds, 0 lost | abc1234 | 2026-11-25 | 2 min |';

describe('recordEntry', () => {
  it('replaces the earlier row of the trial and leaves the rest', () => {
    expect(recordEntry(PAGE, ENTRY)).toBe(PAGE.replace('| `crash` | old |', ROW));
  });

  it('adds the row of a new trial at the end of the table', () => {
    const row = ROW.replace('crash', 'fuzz');
    expect(recordEntry(PAGE, { ...ENTRY, trial: 'fuzz' })).toBe(PAGE.replace('old |', `old |\n${row}`));
  });

  it('adds the first row below the head of an empty table', () => {
    const empty = PAGE.replace('| `crash` | old |\n', '');
    expect(recordEntry(empty, ENTRY)).toBe(PAGE.replace('| `crash` | old |', ROW));
  });

  it('marks a failure and escapes vertical bars', () => {
    const page = recordEntry(PAGE, { ...ENTRY, passed: false, result: 'a | b' });
    expect(page).toContain(String.raw`| **Failed**: a \| b |`);
  });

  it('records at least one minute for the shortest trial', () => {
    expect(recordEntry(PAGE, { ...ENTRY, seconds: 3 })).toContain('| 1 min |');
  });

  it('throws if the page has no table', () => {
    expect(() => recordEntry('# Trials\n', ENTRY)).toThrow('the page has no table of results');
  });
});

it('docs/trials.md has a row for each trial, and for no other', () => {
  const page = readFileSync(new URL('../../docs/trials.md', import.meta.url), 'utf8');
  expect(recordedTrials(page)).toEqual(TRIALS.map(({ name }) => name));
});
