import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../query/parse-query.ts';
import { ALL_ROWS, capped, rangeAt, requireEmbedLimits, topLevelRange } from './range.ts';

const MAX = Number.MAX_SAFE_INTEGER;

function query(limit?: number, offset?: number, path: string[] = []) {
  return {
    limits: limit === undefined ? [] : [{ path, value: limit }],
    offsets: offset === undefined ? [] : [{ path, value: offset }],
  };
}

describe('topLevelRange', () => {
  it.each([
    ['GET', undefined, query(), ALL_ROWS],
    ['GET', undefined, query(10), { offset: 0, limit: 10 }],
    ['GET', undefined, query(undefined, 5), { offset: 5, limit: undefined }],
    ['GET', undefined, query(10, 5), { offset: 5, limit: 10 }],
    ['GET', undefined, query(10, -5), { offset: 0, limit: 10 }],
    ['GET', undefined, query(0, 5), { offset: 0, limit: 0 }],
    ['GET', '0-9', query(), { offset: 0, limit: 10 }],
    ['GET', '5-', query(), { offset: 5, limit: undefined }],
    ['GET', '0-0', query(), { offset: 0, limit: 1 }],
    ['GET', '5-9', query(10, 7), { offset: 7, limit: 3 }],
    ['GET', '5-', query(10, 0), { offset: 5, limit: 5 }],
    ['GET', '9-5', query(0), { offset: 0, limit: 0 }],
    ['GET', 'items=0-9', query(), ALL_ROWS],
    ['GET', 'bytes=0-9', query(), ALL_ROWS],
    ['GET', '-9', query(), ALL_ROWS],
    ['GET', '0-9,20-29', query(), ALL_ROWS],
    ['HEAD', '0-9', query(), ALL_ROWS],
    ['POST', '9-5', query(), ALL_ROWS],
    ['POST', '0-9', query(3), { offset: 0, limit: 3 }],
    ['PUT', undefined, query(), ALL_ROWS],
    ['PUT', '0-9', query(undefined, 0), ALL_ROWS],
    ['GET', '99999999999999999999-', query(), { offset: MAX, limit: undefined }],
    ['GET', undefined, query(1e300, 1e300), { offset: MAX, limit: MAX }],
  ])('returns the range of %s with Range %s and %j', (method, range, parameters, expected) => {
    expect(topLevelRange({ method, range, query: parameters })).toEqual(expected);
  });

  it.each([
    ['GET', undefined, query(-1), 'Limit should be greater than or equal to zero.'],
    ['DELETE', undefined, query(-1), 'Limit should be greater than or equal to zero.'],
    [
      'GET',
      '9-5',
      query(),
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
    ['GET', '10-20', query(5), 'The header Range and the parameters limit and offset select no common rows.'],
    [
      'GET',
      '0-5',
      query(undefined, 6),
      'The header Range and the parameters limit and offset select no common rows.',
    ],
  ])('rejects %s with Range %s and %j', (method, range, parameters, details) => {
    expect(() => topLevelRange({ method, range, query: parameters })).toThrow(
      expect.objectContaining({ code: 'PGRST103', status: 416, extra: { details } }),
    );
  });

  it.each([query(1), query(0), query(undefined, 1)])('rejects PUT with %j', (parameters) => {
    expect(() => topLevelRange({ method: 'PUT', range: undefined, query: parameters })).toThrow(
      expect.objectContaining({ code: 'PGRST114', status: 400 }),
    );
  });

  it('returns a range or throws for any header', () => {
    const number = fc.option(fc.integer(), { nil: undefined });
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(30), fc.nat(30)).map((ends) => ends.join('-')),
    );
    fc.assert(
      fc.property(header, number, number, (range, limit, offset) => {
        try {
          const result = topLevelRange({ method: 'GET', range, query: query(limit, offset) });
          expect(result.offset).toBeGreaterThanOrEqual(0);
          expect(result.limit ?? 1).toBeGreaterThanOrEqual(limit === 0 ? 0 : 1);
        } catch (error) {
          expect(error).toBeInstanceOf(CatalogueError);
        }
      }),
    );
  });
});

describe('rangeAt', () => {
  const parameters = {
    limits: [
      { path: [], value: 1 },
      { path: ['a', 'b'], value: 2 },
    ],
    offsets: [{ path: ['a'], value: 3 }],
  };
  it.each([
    [[], { offset: 0, limit: 1 }],
    [['a'], { offset: 3, limit: undefined }],
    [['a', 'b'], { offset: 0, limit: 2 }],
    [['b'], ALL_ROWS],
  ])('returns for the path %j the range %j', (path, range) => {
    expect(rangeAt(parameters, path)).toEqual(range);
  });

  it('rejects a negative limit at any path', () => {
    expect(() => rangeAt(query(-1, 0, ['a']), ['a'])).toThrow(expect.objectContaining({ code: 'PGRST103' }));
  });
});

describe('requireEmbedLimits', () => {
  it('rejects a negative limit of an embed', () => {
    expect(() => requireEmbedLimits(parseQuery('select=b(id)&b.limit=-1'))).toThrow(
      expect.objectContaining({ code: 'PGRST103', status: 416 }),
    );
  });

  it('ignores limits of the top-level rows and limits that are not negative', () => {
    expect(() => requireEmbedLimits(parseQuery('select=b(id)&b.limit=0&limit=-1'))).not.toThrow();
  });
});

it.each([
  [ALL_ROWS, undefined, ALL_ROWS],
  [ALL_ROWS, 100, { offset: 0, limit: 100 }],
  [{ offset: 5, limit: 10 }, 100, { offset: 5, limit: 10 }],
  [{ offset: 5, limit: 1000 }, 100, { offset: 5, limit: 100 }],
  [{ offset: 0, limit: 0 }, 100, { offset: 0, limit: 0 }],
])('limits %j to at most %s rows as %j', (range, maxRows, expected) => {
  expect(capped(range, maxRows)).toEqual(expected);
});
