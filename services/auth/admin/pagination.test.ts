import { describe, expect, it } from 'vitest';
import { offsetOf, pageHeaders, readPage } from './pagination.ts';

describe('readPage', () => {
  it.each([
    ['', { page: 1, perPage: 50 }],
    ['page=&per_page=', { page: 1, perPage: 50 }],
    ['page=3&per_page=7', { page: 3, perPage: 7 }],
    ['page=0', { page: 1, perPage: 50 }],
  ])('parses %j', (query, expected) => {
    expect(readPage(new URLSearchParams(query))).toEqual(expected);
  });

  it.each([
    'page=x',
    'page=-1',
    'page=1.5',
    'per_page=0',
    'per_page=all',
    'page=1e3',
    `page=${'9'.repeat(15)}`,
    'page=%00',
  ])('rejects %j', (query) => {
    expect(() => readPage(new URLSearchParams(query))).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: expect.stringContaining('Bad Pagination'),
      }),
    );
  });

  it('counts from 1', () => {
    expect(offsetOf({ page: 3, perPage: 7 })).toBe(14);
  });
});

describe('pageHeaders', () => {
  it.each([
    [
      'the first of three',
      1,
      101,
      '</u?page=2&per_page=50>; rel="next", </u?page=3&per_page=50>; rel="last"',
    ],
    ['the last', 3, 101, '</u?page=3&per_page=50>; rel="last"'],
    ['the only one', 1, 50, '</u?page=1&per_page=50>; rel="last"'],
    ['an empty list', 1, 0, '</u?page=0&per_page=50>; rel="last"'],
  ])('link from %s', (_, page, total, link) => {
    expect(pageHeaders('/u', { page, perPage: 50 }, total)).toEqual({ link, 'x-total-count': String(total) });
  });

  it('keep filter and order after the page, but never the API key', () => {
    const { link } = pageHeaders('/u?filter=a%20b&page=1&apikey=secret&x=1', { page: 1, perPage: 5 }, 6);
    expect(link).toBe(
      '</u?page=2&per_page=5&filter=a+b>; rel="next", </u?page=2&per_page=5&filter=a+b>; rel="last"',
    );
  });
});
