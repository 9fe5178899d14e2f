import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBytes, headerText } from '../headers.ts';
import {
  contentLocationOf,
  locationOf,
  overrideHeaders,
  parseResponseHeaders,
  parseResponseStatus,
} from './headers.ts';

describe('response.headers', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['[]', []],
    ['[{"X-A": "1"}]', [['x-a', '1']]],
    [
      '[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]',
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    ],
    ['[{"__proto__": "x"}]', [['__proto__', 'x']]],
    ['[{"A": "é"}]', [['a', 'Ã©']]],
  ])('of %j are %j', (setting, headers) => {
    expect(parseResponseHeaders(setting)).toEqual(headers);
  });

  it.each([
    'x',
    'null',
    '{}',
    '{"A": "b"}',
    '[null]',
    '["a"]',
    '[["a"]]',
    '[{}]',
    '[{"A": 1}]',
    '[{"A": null}]',
    '[{"A": "b", "C": "d"}]',
    '[{"A b": "c"}]',
    '[{"": "c"}]',
    '[{"A": "b\\r\\nSet-Cookie: c=d"}]',
    '[{"A\\r\\nB": "c"}]',
    '[{"A": "b\\u0000"}]',
    '[{"Transfer-Encoding": "chunked"}]',
    '[{"content-length": "5"}]',
    '[{"Connection": "close"}]',
  ])('are rejected: %s', (setting) => {
    expect(() => parseResponseHeaders(setting)).toThrow(
      expect.objectContaining({ code: 'PGRST111', status: 500 }),
    );
  });

  it('are valid HTTP headers or rejected for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          headerLists.map((list) => JSON.stringify(list)),
        ),
        (setting) => {
          const headers = orRefusal(() => parseResponseHeaders(setting));
          if (headers !== undefined)
            expect(() => new Headers(headers.map(([name, value]) => [name, value]))).not.toThrow();
        },
      ),
    );
  });
});

const headerLists = fc.array(
  fc.dictionary(fc.string({ maxLength: 3 }), fc.string(), { minKeys: 1, maxKeys: 1 }),
);

describe('response.status', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['200', 200],
    ['418', 418],
    ['404 Not Found', 404],
  ])('of %j is %s', (setting, status) => {
    expect(parseResponseStatus(setting)).toBe(status);
  });

  it.each(['x', '-1', ' 200', '0', '99', '100', '199', '600', '99999999999999999999'])(
    'is rejected: %j',
    (setting) => {
      expect(() => parseResponseStatus(setting)).toThrow(
        expect.objectContaining({ code: 'PGRST112', status: 500 }),
      );
    },
  );
});

it('headers of functions replace the default headers of the same name', () => {
  const own = [
    ['content-type', 'application/json'],
    ['vary', 'Accept'],
  ] as const;
  const headers = [
    ['Content-Type', 'text/html'],
    ['set-cookie', 'a'],
    ['set-cookie', 'b'],
  ] as const;
  expect(overrideHeaders(own, headers)).toEqual([['vary', 'Accept'], ...headers]);
  expect(overrideHeaders(own, [])).toBe(own);
});

describe('Location', () => {
  it.each([
    ['films', [['id', '7']], '/films?id=eq.7'],
    [
      'films',
      [
        ['a', 'x y&z=ä'],
        ['b', null],
      ],
      '/films?a=eq.x%20y%26z%3D%C3%A4&b=is.null',
    ],
    ['my films/ü', [["it's", '(1)*!']], '/my%20films%2F%C3%BC?it%27s=eq.%281%29%2A%21'],
    ['films', [], '/films'],
    ['films', [['id', '\r\nX: y']], '/films?id=eq.%0D%0AX%3A%20y'],
  ] as const)('of a row of %s with %j is %s', (relation, key, location) => {
    expect(locationOf(relation, key)).toBe(location);
  });

  it('is ASCII and contains the encoded key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (column, value) => {
        const location = locationOf('t', [[column, value]]);
        expect(location).toMatch(/^[\w/?=.~%-]+$/);
        const [name, text] = location.slice('/t?'.length).split('=').map(decodeURIComponent);
        expect([name, text]).toEqual([column.toWellFormed(), `eq.${value.toWellFormed()}`]);
      }),
    );
  });
});

it.each([
  ['films', [], '/films'],
  [
    'films',
    [
      ['select', '*'],
      ['id', 'gt.1'],
      ['order', ''],
      ['id', 'lt.5'],
    ],
    '/films?id=gt.1&id=lt.5&order=&select=%2A',
  ],
] as const)('Content-Location of %s with %j is %s', (relation, parameters, location) => {
  expect(contentLocationOf(relation, parameters)).toBe(location);
});

it('header text is encoded and decoded as UTF-8', () => {
  expect(headerText(headerBytes('schéma 漢'))).toBe('schéma 漢');
});

/** Returns undefined for an error of the catalogue. Rethrows any other exception. */
function orRefusal<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CatalogueError) return undefined;
    throw error;
  }
}
