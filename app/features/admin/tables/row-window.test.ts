import { describe, expect, it } from 'vitest';
import { type GridRow, ROWS_PER_PAGE, type RowPage } from './grid-rows.ts';
import {
  MAX_PAGES,
  missingPages,
  openWindow,
  type RowWindow,
  reduceWindow,
  rowAt,
  rowId,
} from './row-window.ts';

const rowOf = (id: number, value = ''): GridRow => ({
  key: [String(id)],
  xmin: '1',
  position: [String(id)],
  cells: [String(id), value],
  cut: [],
});

/** Pages of the rows 0 to `count` - 1. */
const pageOf = (page: number, count: number): RowPage => {
  const start = page * ROWS_PER_PAGE;
  const length = Math.min(ROWS_PER_PAGE, count - start);
  return {
    rows: Array.from({ length }, (_, index) => rowOf(start + index)),
    hasMore: start + length < count,
  };
};

/** Loads pages until `last` of a relation with `count` rows. */
function loadTo(last: number, count: number): RowWindow {
  let window = openWindow(pageOf(0, count), undefined);
  for (let page = 1; page <= last; page++)
    window = reduceWindow(window, { type: 'loaded', page, result: pageOf(page, count), visible: page });
  return window;
}

describe('the window of rows', () => {
  it('knows the end of a relation that fits one page', () => {
    const window = openWindow(pageOf(0, 3), undefined);
    expect(window).toMatchObject({ known: 3, isComplete: true });
    expect(missingPages(window, 0, 50)).toEqual([]);
    expect(rowAt(window, 2)).toEqual(rowOf(2));
    expect(rowAt(window, 3)).toBeUndefined();
  });

  it('needs the next page as soon as a row after the known ones is visible', () => {
    const window = openWindow(pageOf(0, 1000), undefined);
    expect(missingPages(window, 0, 99)).toEqual([]);
    expect(missingPages(window, 60, 100)).toEqual([1]);
    expect(window.starts).toEqual([undefined, '["99"]']);
  });

  it('keeps a bounded number of pages, and reads dropped ones again from the same position', () => {
    const window = loadTo(60, 1_000_000);
    expect(window.pages.size).toBe(MAX_PAGES);
    expect(window.known).toBe(6100);
    expect(missingPages(window, 0, 10)).toEqual([0]);
    expect(window.starts[1]).toBe('["99"]');
    const back = reduceWindow(window, { type: 'loaded', page: 0, result: pageOf(0, 1_000_000), visible: 0 });
    expect(rowAt(back, 5)).toEqual(rowOf(5));
    expect(back.pages.size).toBe(MAX_PAGES);
    expect(back.known).toBe(6100);
  });

  it('shows a changed row at its place', () => {
    const window = reduceWindow(loadTo(1, 250), { type: 'changed', key: ['120'], row: rowOf(120, 'new') });
    expect(rowAt(window, 120)?.cells).toEqual(['120', 'new']);
    expect(rowAt(window, 121)).toEqual(rowOf(121));
  });

  it('drops removed rows at once, and reads their page and the later ones again', () => {
    const window = reduceWindow(loadTo(2, 250), {
      type: 'removed',
      keys: new Set([rowId(rowOf(150)), rowId(rowOf(220))]),
    });
    expect(rowAt(window, 150)).toEqual(rowOf(151));
    expect(window.known).toBe(199);
    expect(missingPages(window, 0, 249)).toEqual([1]);
    expect(window.pages.has(2)).toBe(false);
  });

  it('shows an inserted row first', () => {
    const window = reduceWindow(loadTo(1, 250), { type: 'inserted', row: rowOf(999) });
    expect(rowAt(window, 0)).toEqual(rowOf(999));
    expect(rowAt(window, 1)).toEqual(rowOf(0));
    expect(missingPages(window, 0, 100)).toEqual([1]);
    expect(window.starts).toEqual([undefined, '["98"]']);
    const small = reduceWindow(openWindow(pageOf(0, 3), undefined), { type: 'inserted', row: rowOf(999) });
    expect(small).toMatchObject({ known: 4, isComplete: true });
  });

  it('ignores a page that was requested before later pages were dropped', () => {
    const window = reduceWindow(loadTo(2, 1000), { type: 'reload' });
    const late = reduceWindow(window, { type: 'loaded', page: 2, result: pageOf(2, 1000), visible: 2 });
    expect(late).toBe(window);
  });

  it('does not load again after an error until the user retries', () => {
    const problem = { code: '57014', message: 'canceling statement due to statement timeout' };
    const failed = reduceWindow(openWindow(pageOf(0, 500), undefined), { type: 'failed', problem });
    expect(missingPages(failed, 0, 150)).toEqual([]);
    expect(missingPages(reduceWindow(failed, { type: 'retry' }), 0, 150)).toEqual([1]);
  });

  it('reads the first page again when it is reloaded', () => {
    const window = reduceWindow(loadTo(2, 250), { type: 'reload' });
    expect(missingPages(window, 0, 50)).toEqual([0]);
    expect(window.starts).toEqual([undefined]);
  });
});
