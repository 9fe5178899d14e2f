import { describe, expect, it } from 'vitest';
import { parsePageNumber } from './page-number.ts';

describe('parsePageNumber', () => {
  it.each([
    [null, 1],
    ['1', 1],
    ['20', 20],
    ['1000000', 1_000_000],
    ['1000001', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['01', undefined],
    ['zero', undefined],
    ['', undefined],
    ['9'.repeat(400), undefined],
  ])('parses %j as %s', (text, page) => {
    expect(parsePageNumber(text)).toBe(page);
  });
});
