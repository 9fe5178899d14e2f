import { describe, expect, it } from 'vitest';
import { TapReader, type TapResult } from './tap.ts';

function read(text: string): TapResult {
  const reader = new TapReader();
  for (const line of text.split('\n')) reader.add(line);
  return reader.finish();
}

const PASSED: TapResult = {
  count: 2,
  failed: [],
  passedTodos: [],
  skipped: undefined,
  problems: [],
  bailOut: undefined,
};

describe('TapReader', () => {
  it.each<[string, string, Partial<TapResult>]>([
    ['a plan and passed tests', '1..2\nok 1 - a\nok 2', {}],
    ['a plan after the tests', 'ok 1 - a\nok 2 - b\n1..2', {}],
    ['tests without numbers', '1..2\nok - a\nok', {}],
    ['other lines', '# note\n\n1..2\nok 1\n(1 row)\nokay 7\n  ok 9 - of a subtest\nok 2\n', {}],
    ['an expected failure', '1..2\nok 1\nnot ok 2 - b # TODO later', {}],
    ['a skipped test', '1..2\nok 1\nok 2 # SKIP no reason', {}],
    ['a number sign in a description', '1..2\nok 1\nok 2 - a \\# TODO b', {}],
    ['a TODO that passed', '1..2\nok 1\nok 2 - b # TODO later', { passedTodos: [2] }],
    ['a plan that skips all', '1..0 # SKIP no table', { count: 0, skipped: 'no table' }],
    [
      'failures with their diagnostics',
      '1..2\nnot ok 1 - a\n# Failed test 1: "a"\n#   have: 1\nok 2\n# unrelated',
      { failed: [{ number: 1, description: 'a', diagnostics: ['# Failed test 1: "a"', '#   have: 1'] }] },
    ],
    [
      'a failure that names no reason',
      '1..2\nok 1\nnot ok 2',
      { failed: [{ number: 2, description: '', diagnostics: [] }] },
    ],
    ['too few tests', '1..3\nok 1\nok 2', { problems: ['3 tests are planned, but 2 ran'] }],
    ['too many tests', '1..1\nok 1\nok 2', { problems: ['1 tests are planned, but 2 ran'] }],
    ['no plan', 'ok 1\nok 2', { problems: ['there is no plan: the file calls neither plan() nor finish()'] }],
    ['two plans', '1..2\nok 1\nok 2\n1..2', { problems: ['there are several plans'] }],
    ['a wrong number', '1..2\nok 1\nok 3', { problems: ['test 3 came in place of test 2'] }],
    ['a run that gives up', '1..9\nok 1\nok 2\nBail out!  no database', { bailOut: 'no database' }],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual({ ...PASSED, ...expected });
  });
});
