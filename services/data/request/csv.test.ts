import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, csvToJson } from './csv.ts';
import { runAtOnce } from './slices.ts';

/** The JSON as text. */
const read = (text: string) => {
  const { json, ...rows } = runAtOnce(csvToJson(Buffer.from(text)));
  return { ...rows, json: json.toString() };
};
const rowsOf = (text: string) => JSON.parse(read(text).json);

describe('csvToJson', () => {
  it.each([
    [
      'a,b\n1,hi\n2,bye\n',
      [
        { a: '1', b: 'hi' },
        { a: '2', b: 'bye' },
      ],
    ],
    ['a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['a\rb', [{ a: 'b' }]],
    ['a,b\nNULL,"NULL"', [{ a: null, b: null }]],
    ['a,b\n,""', [{ a: '', b: '' }]],
    ['a,b\nnull, NULL', [{ a: 'null', b: ' NULL' }]],
    ['"a ""b""","c\nd"\n"x,y","1\r\n2"', [{ 'a "b"': 'x,y', 'c\nd': '1\r\n2' }]],
    ['a\n\n\n1\n\n2\n', [{ a: '1' }, { a: '2' }]],
    ['a,b\n', []],
    ['ä\n漢\u0000', [{ ä: '漢\u0000' }]],
  ])('reads %j', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });

  it('rejects a CSV whose JSON repeats long names too often', () => {
    const name = 'a'.repeat(4000);
    expect(read(`${name},b\n${'1,1\n'.repeat(50)}`).rowCount).toBe(50);
    const text = `${name},b\n${'1,1\n'.repeat(20_000)}`;
    expect(() => read(text)).toThrow('The CSV has too many lines for the length of its column names.');
  });

  it('returns the columns and the number of rows', () => {
    expect(read('b,a,b\n1,2,3\n4,5,6')).toEqual({
      columns: ['b', 'a'],
      rowCount: 2,
      json: '[{"b":"1","a":"2","b":"3"},{"b":"4","a":"5","b":"6"}]',
    });
  });

  it.each([
    ['', 'The CSV has no header line.'],
    ['\n\n', 'The CSV has no header line.'],
    ['a,b\n1', 'All lines must have same number of fields'],
    ['a,b\n1,2\n\n1,2,3', 'All lines must have same number of fields'],
    ['a,b\n"x\ny",2\n1', 'All lines must have same number of fields'],
    ['a\n"x', 'Line 2 has an unclosed quote.'],
    ['a\n"x"y', 'Line 2 has a quote inside a field.'],
    ['a\nx"y"', 'Line 2 has a quote inside a field.'],
  ])('rejects %j', (text, message) => {
    expect(() => read(text)).toThrow(new CsvError(message));
  });

  it('parses any table formatted by RFC 4180', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', 'ö', ' ') });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field)), (rows) => {
        const text = [['a', 'b'], ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');
        expect(rowsOf(text)).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
    );
  });

  it('returns JSON or throws CsvError for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '\\', '\u0000') });
    fc.assert(
      fc.property(text, (csv) => {
        try {
          expect(Array.isArray(rowsOf(csv))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(CsvError);
        }
      }),
    );
  });
});
