/** Lists of names. */
import { describe, expect, it } from 'vitest';
import { parseColumns } from './columns.ts';
import { MAX_COLUMNS, Usage } from './limits.ts';
import { EXPECTED_NAME } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

describe.each(['columns', 'on_conflict'] as const)('%s', (parameter) => {
  const parse = (text: string) => parseColumns(parameter, text, new Usage());

  it.each<[text: string, names: string[]]>([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['a\t,\tb', ['a', 'b']],
    ['"a" , "b,c"', ['a', 'b,c']],
    ['b,a,b', ['b', 'a']],
    ['a-b,c d', ['a-b', 'c d']],
    ['名前', ['名前']],
  ])('parses %j as %j', (text, names) => {
    expect(parse(text)).toEqual(names);
  });

  it.each<[text: string, refusal: string]>([
    ['', `1: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['a,', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    [',a', `1: unexpected "," expecting ${EXPECTED_NAME}`],
    ['a,,b', `3: unexpected "," expecting ${EXPECTED_NAME}`],
    ['*', `1: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['a.b', `2: unexpected '.' expecting "," or end of input`],
    ['a->b', `2: unexpected '-' expecting "," or end of input`],
    ['a)', `2: unexpected ')' expecting "," or end of input`],
    ['"a"b', `4: unexpected 'b' expecting "," or end of input`],
    ['"a', '3: unexpected end of input expecting "\\"" (the end of a quoted name)'],
  ])('rejects %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('accepts the maximum number of names and rejects more', () => {
    const names = Array.from({ length: MAX_COLUMNS + 1 }, (_, index) => `c${index}`);
    expect(parse(names.slice(1).join())).toHaveLength(MAX_COLUMNS);
    expect(refusalOf(() => parse(names.join()))).toContain('at most 2000 names');
  });

  it('is named in errors', () => {
    expect(() => parse('')).toThrow(`"failed to parse ${parameter} parameter ()" (line 1, column 1)`);
  });
});
