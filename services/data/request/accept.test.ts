import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaHandler } from '../schema-cache/schema-cache.ts';
import { negotiate, type Producible, parseAccept, requireOpenApi } from './accept.ts';
import { contentTypeOf, mediaTypeName } from './media-type.ts';

describe('parseAccept', () => {
  it.each([
    [undefined, ['*/*']],
    ['', ['*/*']],
    ['text/csv', ['text/csv']],
    ['text/csv, application/json', ['text/csv', 'application/json']],
    ['text/csv;q=0.5, application/json', ['application/json', 'text/csv']],
    ['a/a;q=0.1, b/b;q=0.9, c/c;Q=.5, d/d; q = 0.7', ['b/b', 'd/d', 'c/c', 'a/a']],
    ['*/*, text/csv', ['text/csv', '*/*']],
    [
      'a/a, application/vnd.pgrst.object;nulls=stripped',
      ['application/vnd.pgrst.object+json;nulls=stripped', 'a/a'],
    ],
    ['text/csv;q=0, */*', ['*/*']],
    ['text/csv;q=nonsense, a/a;q=0.5', ['text/csv', 'a/a']],
    [
      'application/vnd.pgrst.plan; for="text/csv;x=\\",y"; q=0.2, a/a',
      ['a/a', 'application/vnd.pgrst.plan+text; for="text/csv"'],
    ],
    [
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      ['text/html', 'application/xhtml+xml', 'application/xml', '*/*'],
    ],
    [', ,', []],
  ])('sorts %j', (header, names) => {
    expect(parseAccept(header).map(mediaTypeName)).toEqual(names);
  });
});

const FILMS = { schema: 'api', name: 'films' };
const handler = (mediaType: string, target: MediaHandler['target']): MediaHandler => ({
  mediaType,
  target,
  function: { schema: 'api', name: `${mediaType} of ${target?.name ?? 'all'}` },
  kind: 'aggregate',
  isBinary: false,
});
const PLAIN: Producible = { handlers: [], target: FILMS, hasDefaultSelect: true, isPlanEnabled: false };
const PLANS: Producible = { ...PLAIN, isPlanEnabled: true };
const CUSTOM: Producible = {
  ...PLAIN,
  handlers: [
    handler('image/png', FILMS),
    handler('image/png', undefined),
    handler('text/csv', undefined),
    handler('application/vnd.pgrst.object+json', undefined),
    handler('text/html', { schema: 'api', name: 'actors' }),
  ],
};
const CATCHALL: Producible = { ...PLAIN, handlers: [handler('text/csv', FILMS), handler('*/*', FILMS)] };

/** What makes the answer, and its Content-Type. */
function outcome(accept: string | undefined, producible: Producible) {
  const { mediaType, handler } = negotiate(parseAccept(accept), producible);
  return [handler.kind === 'custom' ? handler.handler.function.name : handler.kind, contentTypeOf(mediaType)];
}

describe('negotiate', () => {
  const json = 'application/json; charset=utf-8';
  it.each([
    ['JSON without a header', undefined, PLAIN, ['json', json]],
    ['JSON for */*', '*/*', PLAIN, ['json', json]],
    ['JSON for a browser', 'text/html,*/*;q=0.8', PLAIN, ['json', json]],
    ['CSV', 'text/csv', PLAIN, ['csv', 'text/csv; charset=utf-8']],
    ['GeoJSON', 'application/geo+json', PLAIN, ['geojson', 'application/geo+json; charset=utf-8']],
    ['the first supported type', 'image/png, text/csv, */*', PLAIN, ['csv', 'text/csv; charset=utf-8']],
    [
      'a single object',
      'application/vnd.pgrst.object',
      PLAIN,
      ['object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ],
    [
      'a list without nulls',
      'application/vnd.pgrst.array;nulls=stripped',
      PLAIN,
      ['array-stripped', 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'],
    ],
    ['a plain list', 'application/vnd.pgrst.array', PLAIN, ['json', json]],
    [
      'the plan of a CSV response',
      'application/vnd.pgrst.plan; for="text/csv"',
      PLANS,
      ['csv', 'application/vnd.pgrst.plan+text; for="text/csv"; charset=utf-8'],
    ],
    ['the handler of the relation first', 'image/png', CUSTOM, ['image/png of films', 'image/png']],
    [
      'the generic handler for selected columns',
      'image/png',
      { ...CUSTOM, hasDefaultSelect: false },
      ['image/png of all', 'image/png'],
    ],
    ['a custom handler for CSV', 'text/csv', CUSTOM, ['text/csv of all', 'text/csv; charset=utf-8']],
    [
      'the built-in single object despite handlers',
      'application/vnd.pgrst.object',
      CUSTOM,
      ['object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ],
    ['JSON for */* despite handlers', '*/*', CUSTOM, ['json', json]],
    ['the handler of */*', 'image/webp', CATCHALL, ['*/* of films', 'application/octet-stream']],
    ['the handler of */* for CSV', 'text/csv', CATCHALL, ['*/* of films', 'application/octet-stream']],
    ['JSON for selected columns', '*/*', { ...CATCHALL, hasDefaultSelect: false }, ['json', json]],
  ] as const)('selects %s', (_, accept, producible, expected) => {
    expect(outcome(accept, producible)).toEqual(expected);
  });

  it.each([
    ['image/png', PLAIN],
    ['text/html', CUSTOM],
    ['text/*', PLAIN],
    ['application/openapi+json', PLAIN],
    ['application/octet-stream', PLAIN],
    ['application/vnd.pgrst.plan', PLAIN],
    ['application/vnd.pgrst.plan; for="image/png"', PLANS],
    ['application/vnd.pgrst.plan; for="application/vnd.pgrst.plan"', PLANS],
    ['*/*;q=0', PLAIN],
  ])('rejects %s', (accept, producible) => {
    expect(() => outcome(accept, producible)).toThrow(
      expect.objectContaining({ code: 'PGRST107', status: 406 }),
    );
  });

  it('selects a type or throws PGRST107 for any header', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => {
        try {
          outcome(accept, CUSTOM);
        } catch (error) {
          expect(error).toBeInstanceOf(CatalogueError);
        }
      }),
    );
  });
});

describe('the OpenAPI document', () => {
  it.each([undefined, '*/*', 'application/json', 'application/openapi+json', 'text/html, */*;q=0.1'])(
    'is acceptable for %s',
    (accept) => {
      expect(() => requireOpenApi(parseAccept(accept))).not.toThrow();
    },
  );
  it.each(['text/csv', 'application/vnd.pgrst.object'])('is not acceptable for %s', (accept) => {
    expect(() => requireOpenApi(parseAccept(accept))).toThrow(expect.objectContaining({ code: 'PGRST107' }));
  });
});
