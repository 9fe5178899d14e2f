import type pg from 'pg';
import { expect, it } from 'vitest';
import type { RawStatement, SegmentResult } from '../raw-batch/statement.ts';
import { createReadBlock } from './read-block.ts';

const statement = (text: string): RawStatement => ({ text });
const result = (command: string) => ({ command, rows: [] });
const done = (...commands: string[]): SegmentResult => ({
  results: commands.map(result),
  failure: undefined,
  status: 'I',
});
const failed = (at: number, ...commands: string[]): SegmentResult => ({
  ...done(...commands),
  failure: { error: new Error('failed') as pg.DatabaseError, statement: at, isStale: false },
  status: 'E',
});
const two = createReadBlock([
  { statements: [statement('set a'), statement('a')], streamed: 1 },
  { statements: [statement('b')], streamed: 0 },
]);
const splitOf = (complete: SegmentResult) =>
  two
    .resultsOf(complete)
    .map(({ results, failure }) => [results.map(({ command }) => command), failure?.statement]);

it('returns a single read unchanged', () => {
  const one = createReadBlock([{ statements: [statement('a')], streamed: 0 }]);
  expect(one).toMatchObject({ statements: [{ text: 'a' }], streamed: [0] });
  const complete = failed(0);
  expect(one.resultsOf(complete)).toEqual([complete]);
});

it('makes each read a transaction', () => {
  const texts = two.statements.map(({ text }) => text);
  expect(texts).toEqual(['begin read only', 'set a', 'a', 'commit and chain', 'b', 'commit']);
  expect(two.streamed).toEqual([2, 4]);
});

it('returns the results of each read', () => {
  const complete = done('BEGIN', 'SET', 'A', 'COMMIT', 'B', 'COMMIT');
  expect(splitOf(complete)).toEqual([
    [['SET', 'A'], undefined],
    [['B'], undefined],
  ]);
});

it.each([
  ['at the beginning', failed(0), [[[], 0]]],
  ['in a statement of the first read', failed(2, 'BEGIN', 'SET'), [[['SET'], 1]]],
  ['at the end of the first read', failed(3, 'BEGIN', 'SET', 'A'), [[['SET', 'A'], 2]]],
  [
    'in a statement of the second read',
    failed(4, 'BEGIN', 'SET', 'A', 'COMMIT'),
    [
      [['SET', 'A'], undefined],
      [[], 0],
    ],
  ],
])('returns a failure %s for that read, and no result for later reads', (_, complete, split) => {
  expect(splitOf(complete)).toEqual(split);
});
