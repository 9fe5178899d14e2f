import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanJsonRows } from './json-rows.ts';
import { JsonScanError, MAX_JSON_DEPTH } from './json-text.ts';
import { runAtOnce } from './slices.ts';

const scan = (text: string) => runAtOnce(scanJsonRows(Buffer.from(text)));

describe('scanJsonRows', () => {
  it.each([
    ['{}', { kind: 'object', keys: [] }],
    [' {"a":1 , "b":[{"c":2}]} ', { kind: 'object', keys: ['a', 'b'] }],
    ['{"a":1,"a":2}', { kind: 'object', keys: ['a'] }],
    ['{"\\u00e9\\n":1,"__proto__":2,"ü":3}', { kind: 'object', keys: ['é\n', '__proto__', 'ü'] }],
    ['[]', { kind: 'array', length: 0, keys: [], hasSameKeys: true }],
    ['[{},{}]', { kind: 'array', length: 2, keys: [], hasSameKeys: true }],
    ['[{"a":1,"b":2},{"a":3,"b":4}]', { kind: 'array', length: 2, keys: ['a', 'b'], hasSameKeys: true }],
    ['[{"a":1,"b":2},{"b":3,"a":4}]', { kind: 'array', length: 2, keys: ['a', 'b'], hasSameKeys: true }],
    ['[{"a":1},{"\\u0061":2}]', { kind: 'array', length: 2, keys: ['a'], hasSameKeys: true }],
    ['[{"a":1,"b":2},{"a":3,"a":4}]', { kind: 'array', length: 2, keys: ['a', 'b'], hasSameKeys: false }],
    ['[{"a":1},{"a":1,"b":2}]', { kind: 'array', length: 2, keys: ['a'], hasSameKeys: false }],
    ['[{"a":1},{}]', { kind: 'array', length: 2, keys: ['a'], hasSameKeys: false }],
    ['[{"":false},{}]', { kind: 'array', length: 2, keys: [''], hasSameKeys: false }],
    ['[{"a":1},2]', { kind: 'array', length: 2, keys: ['a'], hasSameKeys: false }],
    ['[1,{"a":1}]', { kind: 'array', length: 2, keys: [], hasSameKeys: false }],
    ['"text"', { kind: 'scalar' }],
    ['-0.5e+7', { kind: 'scalar' }],
    ['null', { kind: 'scalar' }],
  ])('returns the outer structure of %s', (text, rows) => {
    expect(scan(text)).toEqual(rows);
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '[1,]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '[1 2]',
    '01',
    '1.',
    '.5',
    '1e',
    '-',
    '+1',
    'tru',
    'nulls',
    '"\\x"',
    '"\\u12g4"',
    '"a\nb"',
    '"a',
    '{}{}',
    '\ufeff{}',
    '[}',
    'NaN',
  ])('rejects %j', (text) => {
    expect(() => scan(text)).toThrow(JsonScanError);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => runAtOnce(scanJsonRows(Buffer.from([0x22, 0xff, 0x22])))).toThrow('UTF-8');
  });

  it('rejects nesting beyond the limit and accepts it at the limit', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(scan(nested(MAX_JSON_DEPTH))).toMatchObject({ kind: 'array' });
    expect(() => scan(nested(MAX_JSON_DEPTH + 1))).toThrow('too deeply');
    expect(() => scan('{"a":'.repeat(100_000))).toThrow('too deeply');
  });
});

/** The same by building the values. */
function rowsByParsing(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value))
    return isObject(value) ? { kind: 'object', keys: keysOf(value) } : { kind: 'scalar' };
  const [first] = value;
  const keys = isObject(first) ? keysOf(first) : [];
  const hasSameKeys = value.every(
    (row) => isObject(row) && JSON.stringify(keysOf(row)) === JSON.stringify(keys),
  );
  return { kind: 'array', length: value.length, keys, hasSameKeys };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const keysOf = (value: object) => Object.keys(value).sort();

function rowsByScanning(text: string): unknown {
  const rows = scan(text);
  return rows.kind === 'scalar' ? rows : { ...rows, keys: rows.keys.toSorted() };
}

/** Few keys, so that rows often have the same ones. */
const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ä"\\'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const spaced = (value: unknown, indent: number) => JSON.stringify(value, null, indent);

describe('scanning and parsing', () => {
  it('have the same result for any rows', () => {
    const lists = fc.array(fc.oneof({ weight: 9, arbitrary: row }, fc.jsonValue({ maxDepth: 1 })));
    fc.assert(
      fc.property(fc.oneof(lists, row, fc.jsonValue()), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const text = spaced(value, indent);
        expect(rowsByScanning(text)).toEqual(rowsByParsing(text));
      }),
    );
  });

  it('agree on the validity of any mutated JSON', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00',
      'f',
      '0',
      '-1',
      '1.5',
      'e3',
      'null',
      'true',
      ' ',
      '\n',
      '\t',
      '\u0001',
      'é',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(outcome(() => rowsByScanning(text))).toEqual(outcome(() => rowsByParsing(text)));
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.string({ maxLength: 2, unit: 'binary-ascii' }),
        (text, position, patch) => {
          const at = position % (text.length + 1);
          const mangled = (text.slice(0, at) + patch + text.slice(at + patch.length)).toWellFormed();
          expect(outcome(() => rowsByScanning(mangled))).toEqual(outcome(() => rowsByParsing(mangled)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const kindOf = (text: string) =>
    database.admin
      .query<{ kind: string }>({ text: 'select json_typeof($1::json) as kind', values: [text] })
      .then(([row]) => row?.kind);

  /** Only errors about the text itself count as a rejection by PostgreSQL (class 22: data exception). */
  const isAcceptedByPostgres = (text: string) =>
    kindOf(text).then(Boolean, (error: { code?: string }) => {
      if (error.code?.startsWith('22')) return false;
      throw error;
    });

  it('accepts and rejects the same texts as the scanner', async () => {
    const texts = fc.sample(
      fc.oneof(
        fc.json(),
        fc.json().map((text) => text.slice(1)),
      ),
      300,
    );
    const scanned = texts.map((text) => outcome(() => scan(text)) !== 'refused');
    const byPostgres: boolean[] = [];
    for (const text of texts) byPostgres.push(await isAcceptedByPostgres(text));
    expect(scanned.map((isAccepted, index) => [texts[index], isAccepted])).toEqual(
      byPostgres.map((isAccepted, index) => [texts[index], isAccepted]),
    );
  });

  it('accepts the maximum nesting depth', async () => {
    const text = '['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH);
    expect(scan(text)).toMatchObject({ kind: 'array' });
    expect(await kindOf(text)).toBe('array');
  });
});

/** Returns the result, or a marker for a rejected text. Rethrows any other exception. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonScanError || error instanceof SyntaxError) return 'refused';
    throw error;
  }
}
