import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentTypeOf, mediaTypeName, parseMediaType } from './media-type.ts';

const plan = (of: object, format: string, options: string[] = []) => ({ kind: 'plan', of, format, options });
const JSON_TYPE = { kind: 'json' };

describe('parseMediaType', () => {
  it.each([
    ['application/json', JSON_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    [' Application/JSON ', JSON_TYPE],
    ['*/*', { kind: 'any' }],
    ['text/csv', { kind: 'csv' }],
    ['text/plain;charset=utf-8', { kind: 'text' }],
    ['text/xml', { kind: 'xml' }],
    ['application/geo+json', { kind: 'geojson' }],
    ['application/openapi+json', { kind: 'openapi' }],
    ['application/octet-stream', { kind: 'octet-stream' }],
    ['application/x-www-form-urlencoded', { kind: 'form' }],
    ['application/vnd.pgrst.object+json', { kind: 'object', stripsNulls: false }],
    ['ApplicatIon/vnd.PgRsT.object', { kind: 'object', stripsNulls: false }],
    ['application/vnd.pgrst.object+json;nulls=stripped', { kind: 'object', stripsNulls: true }],
    ['application/vnd.pgrst.object+json ; Nulls="stripped"', { kind: 'object', stripsNulls: true }],
    ['application/vnd.pgrst.object+json;nulls=kept', { kind: 'object', stripsNulls: false }],
    ['application/vnd.pgrst.array+json;nulls=stripped', { kind: 'array-stripped' }],
    ['application/vnd.pgrst.array', JSON_TYPE],
    ['application/vnd.pgrst.plan', plan(JSON_TYPE, 'text')],
    ['application/vnd.pgrst.plan;', plan(JSON_TYPE, 'text')],
    ['application/vnd.pgrst.plan+json;for="text/csv"', plan({ kind: 'csv' }, 'json')],
    [
      'application/vnd.pgrst.plan+text; for="application/vnd.pgrst.object+json;nulls=stripped"; options=wal|analyze|x',
      plan({ kind: 'object', stripsNulls: true }, 'text', ['analyze', 'wal']),
    ],
    ['image/PNG; x=y', { kind: 'other', name: 'image/png' }],
    ['', { kind: 'other', name: '' }],
    ['constructor', { kind: 'other', name: 'constructor' }],
  ])('reads %j', (text, type) => {
    expect(parseMediaType(text)).toEqual(type);
  });

  it('accepts any text and parses its own output', () => {
    const words = fc.constantFrom(
      'application/vnd.pgrst.plan',
      '+json',
      ';',
      'for=',
      '"',
      '\\',
      'text/csv',
      'options=',
      '|',
      'wal',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join('')),
        ),
        (text) => {
          const type = parseMediaType(text);
          if (type.kind !== 'other') expect(parseMediaType(mediaTypeName(type))).toEqual(type);
        },
      ),
    );
  });
});

it.each([
  ['application/json', 'application/json; charset=utf-8'],
  ['text/csv', 'text/csv; charset=utf-8'],
  ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
  [
    'application/vnd.pgrst.array;nulls=stripped',
    'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
  ],
  [
    'application/vnd.pgrst.plan;options=analyze|buffers',
    'application/vnd.pgrst.plan+text; for="application/json"; options=analyze|buffers; charset=utf-8',
  ],
  ['application/octet-stream', 'application/octet-stream'],
  ['image/png', 'image/png'],
])('returns the Content-Type for %s: %s', (text, contentType) => {
  expect(contentTypeOf(parseMediaType(text))).toBe(contentType);
});
