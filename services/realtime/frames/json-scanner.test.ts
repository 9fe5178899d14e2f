import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner, type JsonScannerOptions } from './json-scanner.ts';

const SILENT: JsonScannerOptions = { depth: -1, onValue: () => {} };

/** Scans a text in slices. @param budget bytes of one slice */
function isValid(text: string, budget: number): boolean {
  const scanner = new JsonScanner(Buffer.from(text), SILENT);
  try {
    while (!scanner.run(budget));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const VALID = [
  '0',
  '5',
  '-5',
  '12',
  '1.5',
  '[10,-0.1e-2]',
  ' -1.5e+10 ',
  '1E9',
  '"a\\u00e9\\n\\/"',
  '"ü😀"',
  '[]',
  '{}',
  '[[],{}]',
  '{"a":{"b":[1,true,null]},"a":2}',
  'true',
];
const INVALID = [
  '',
  ' ',
  '01',
  '1.',
  '.5',
  '-',
  '1e',
  '+1',
  '"',
  '"\\x"',
  '"\\u12g4"',
  '"\n"',
  '[1,]',
  '[,1]',
  '{"a"}',
  '{"a":1,}',
  '{a:1}',
  '[1}',
  '{]',
  '1 2',
  'tru',
  'nulll',
  '[1',
  '\u00a01',
  '\ufeff1',
];

describe('JsonScanner', () => {
  it.each([...VALID, ...INVALID])('agrees with JSON.parse on %j', (text) => {
    expect(isValid(text, 1)).toBe(parses(text));
    expect(isValid(text, 1000)).toBe(parses(text));
  });

  it('agrees with JSON.parse on randomly changed texts', () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '[', '}', '\\', '0', 'e', ' ', '\u0001'))
      .map(([text, at, inserted]) => {
        const position = at % (text.length + 1);
        return text.slice(0, position) + inserted + text.slice(inserted === '' ? position + 1 : position);
      });
    fc.assert(
      fc.property(changed, fc.integer({ min: 1, max: 50 }), (text, budget) => {
        const wellFormed = Buffer.from(text).toString();
        expect(isValid(wellFormed, budget)).toBe(parses(wellFormed));
      }),
      { numRuns: 3000 },
    );
  });

  it('reports values down to a depth with their keys, inner ones first', () => {
    const text = '{"a": [1, {"b": 2}], "ü": "x" }';
    const bytes = Buffer.from(text);
    const textOf = ({ start, end }: { start: number; end: number }) => bytes.toString('utf8', start, end);
    const found: unknown[] = [];
    const onValue: JsonScannerOptions['onValue'] = (depth, span, key) =>
      found.push([depth, textOf(span), key && textOf(key)]);
    expect(new JsonScanner(bytes, { depth: 2, onValue }).run(1000)).toBe(true);
    expect(found).toEqual([
      [2, '1', undefined],
      [2, '{"b": 2}', undefined],
      [1, '[1, {"b": 2}]', '"a"'],
      [1, '"x"', '"ü"'],
      [0, text, undefined],
    ]);
  });

  it('rejects containers that are nested too deeply', () => {
    expect(isValid('['.repeat(10_000) + ']'.repeat(10_000), 1000)).toBe(true);
    expect(isValid('['.repeat(10_001) + ']'.repeat(10_001), 1000)).toBe(false);
  });

  it('scans in slices', () => {
    const scanner = new JsonScanner(Buffer.from(`[${'1,'.repeat(1000)}1]`), SILENT);
    let slices = 1;
    while (!scanner.run(100)) slices += 1;
    expect(slices).toBe(21);
  });
});
