import { describe, expect, it } from 'vitest';
import { moveCell } from './cell-position.ts';

describe('moveCell', () => {
  it.each([
    ['ArrowDown', false, { row: 6, column: 2 }],
    ['ArrowUp', true, { row: 0, column: 2 }],
    ['ArrowLeft', false, { row: 5, column: 1 }],
    ['ArrowRight', true, { row: 5, column: 3 }],
    ['PageDown', false, { row: 9, column: 2 }],
    ['PageUp', false, { row: 0, column: 2 }],
    ['Home', false, { row: 5, column: 0 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', false, { row: 5, column: 3 }],
    ['End', true, { row: 9, column: 3 }],
    ['a', false, undefined],
  ])('moves by %s (with Ctrl: %s)', (key, isFast, expected) => {
    expect(moveCell({ row: 5, column: 2 }, { key, isFast }, { rows: 10, columns: 4 })).toEqual(expected);
  });

  it('stays in the grid', () => {
    expect(
      moveCell({ row: 0, column: 0 }, { key: 'ArrowUp', isFast: false }, { rows: 1, columns: 1 }),
    ).toEqual({
      row: 0,
      column: 0,
    });
  });
});
