import { describe, expect, it } from 'vitest';
import { matchStroke, type Pending, SEQUENCE_MS } from './match-stroke.ts';

const SHORTCUTS = ['Mod+k', '?', 't', 'g h', 'g a', 'x y z'].map((keys) => ({ keys }));

/** Types strokes at times in milliseconds; returns the matches with their times. */
function type(strokes: readonly [stroke: string, at: number][]): string[] {
  let pending: Pending | undefined;
  return strokes.flatMap(([stroke, at]) => {
    const result = matchStroke(SHORTCUTS, stroke, pending, at);
    pending = result.pending;
    return result.matched ? [`${result.matched.keys} at ${at}`] : [];
  });
}

describe('matchStroke', () => {
  it.each<[string, [string, number][], string[]]>([
    ['a single key', [['t', 0]], ['t at 0']],
    ['a sign', [['?', 0]], ['? at 0']],
    ['a chord', [['Mod+k', 0]], ['Mod+k at 0']],
    ['an unknown key', [['q', 0]], []],
    ['a letter of a chord without its modifier', [['k', 0]], []],
    [
      'a sequence',
      [
        ['g', 0],
        ['h', 500],
      ],
      ['g h at 500'],
    ],
    [
      'a sequence at the last moment',
      [
        ['g', 0],
        ['h', SEQUENCE_MS],
      ],
      ['g h at 1000'],
    ],
    [
      'a sequence that is too slow',
      [
        ['g', 0],
        ['h', SEQUENCE_MS + 1],
      ],
      [],
    ],
    [
      'a wrong second key',
      [
        ['g', 0],
        ['q', 10],
        ['h', 20],
      ],
      [],
    ],
    [
      'a repeated first key',
      [
        ['g', 0],
        ['g', 900],
        ['h', 1800],
      ],
      ['g h at 1800'],
    ],
    [
      'a single key within a sequence',
      [
        ['g', 0],
        ['t', 10],
        ['h', 20],
      ],
      ['t at 10'],
    ],
    ['a second key without the first', [['h', 0]], []],
    [
      'a sequence followed by another second key',
      [
        ['g', 0],
        ['h', 10],
        ['a', 20],
      ],
      ['g h at 10'],
    ],
    [
      'two sequences',
      [
        ['g', 0],
        ['h', 10],
        ['g', 20],
        ['a', 30],
      ],
      ['g h at 10', 'g a at 30'],
    ],
    [
      'a sequence of three strokes',
      [
        ['x', 0],
        ['y', 900],
        ['z', 1800],
      ],
      ['x y z at 1800'],
    ],
    [
      'a sequence of three strokes that is too slow',
      [
        ['x', 0],
        ['y', 900],
        ['z', 2000],
      ],
      [],
    ],
  ])('matches for %s: $2', (_name, strokes, matched) => {
    expect(type(strokes)).toEqual(matched);
  });

  it('matches nothing without shortcuts', () => {
    expect(matchStroke([], 't', undefined, 0)).toEqual({});
  });
});
