import { describe, expect, it } from 'vitest';
import { moveCell, nextCell } from './grid-position.ts';

const BOUNDS = { rows: 100, columns: 5, perPage: 10 };

describe('moveCell', () => {
  it.each([
    ['ArrowDown', false, 51, 2],
    ['ArrowUp', false, 49, 2],
    ['ArrowLeft', false, 50, 1],
    ['ArrowRight', false, 50, 3],
    ['ArrowDown', true, 99, 2],
    ['ArrowUp', true, 0, 2],
    ['PageDown', false, 60, 2],
    ['PageUp', false, 40, 2],
    ['Home', false, 50, 0],
    ['End', false, 50, 4],
    ['Home', true, 0, 0],
    ['End', true, 99, 4],
  ])('moves from the middle by %s (with Ctrl: %s) to row %i, column %i', (key, ctrlKey, row, column) => {
    expect(moveCell({ row: 50, column: 2 }, { key, ctrlKey }, BOUNDS)).toEqual({ row, column });
  });

  it('reaches the header and the column that selects rows, and stays within the grid', () => {
    const place = { row: 0, column: 0 };
    expect(moveCell(place, { key: 'ArrowUp', ctrlKey: false }, BOUNDS)).toEqual({ row: -1, column: 0 });
    expect(moveCell(place, { key: 'ArrowLeft', ctrlKey: false }, BOUNDS)).toEqual({ row: 0, column: -1 });
    const last = { row: 99, column: 4 };
    expect(moveCell(last, { key: 'ArrowDown', ctrlKey: false }, BOUNDS)).toEqual(last);
    expect(moveCell(last, { key: 'ArrowRight', ctrlKey: false }, BOUNDS)).toEqual(last);
  });

  it('ignores other keys, so that Tab leaves the grid', () => {
    for (const key of ['Tab', 'a', 'Enter'])
      expect(moveCell({ row: 0, column: 0 }, { key, ctrlKey: false }, BOUNDS)).toBeUndefined();
  });
});

describe('nextCell', () => {
  it.each([
    [{ row: 3, column: 1 }, 1, { row: 3, column: 2 }],
    [{ row: 3, column: 4 }, 1, { row: 4, column: 0 }],
    [{ row: 3, column: 0 }, -1, { row: 2, column: 4 }],
    [{ row: 99, column: 4 }, 1, undefined],
    [{ row: 0, column: 0 }, -1, undefined],
  ] as const)('returns after %j by %i: %j', (place, step, next) => {
    expect(nextCell(place, step, BOUNDS)).toEqual(next);
  });
});
