/** Terms of `order`. */
import { describe, expect, it } from 'vitest';
import type { JsonStep, OrderTerm } from './ast.ts';
import { MAX_ORDER_TERMS, Usage } from './limits.ts';
import { parseOrder } from './order.ts';
import { EXPECTED_NAME } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

const parse = (text: string) => parseOrder(text, new Usage());

const term = (name: string, rest: Partial<OrderTerm> = {}, path: JsonStep[] = []): OrderTerm => ({
  field: { name, path },
  relation: undefined,
  direction: undefined,
  nulls: undefined,
  ...rest,
});
const key = (text: string): JsonStep => ({ arrow: '->', operand: { kind: 'key', key: text } });
const index = (number: number): JsonStep => ({ arrow: '->>', operand: { kind: 'index', index: number } });

describe('order', () => {
  it.each<[text: string, terms: OrderTerm[]]>([
    ['a', [term('a')]],
    ['a,b', [term('a'), term('b')]],
    [' a , b ', [term('a'), term('b')]],
    ['a,a', [term('a'), term('a')]],
    ['a.asc', [term('a', { direction: 'asc' })]],
    ['a.desc', [term('a', { direction: 'desc' })]],
    ['a.nullsfirst', [term('a', { nulls: 'first' })]],
    ['a.nullslast', [term('a', { nulls: 'last' })]],
    ['a.asc.nullsfirst', [term('a', { direction: 'asc', nulls: 'first' })]],
    ['a.asc.nullslast', [term('a', { direction: 'asc', nulls: 'last' })]],
    ['a.desc.nullsfirst', [term('a', { direction: 'desc', nulls: 'first' })]],
    ['a.desc.nullslast , b', [term('a', { direction: 'desc', nulls: 'last' }), term('b')]],
    ['a.desc,b.asc,c', [term('a', { direction: 'desc' }), term('b', { direction: 'asc' }), term('c')]],
    ['asc', [term('asc')]],
    ['desc.desc', [term('desc', { direction: 'desc' })]],
    ['"a.asc".desc', [term('a.asc', { direction: 'desc' })]],
    ['"a" .desc', [term('a', { direction: 'desc' })]],
    ['a b', [term('a b')]],
    ['a->b', [term('a', {}, [key('b')])]],
    ['a->b.desc', [term('a', { direction: 'desc' }, [key('b')])]],
    ['a->>0.desc.nullslast', [term('a', { direction: 'desc', nulls: 'last' }, [index(0)])]],
    ['a->>0,b', [term('a', {}, [index(0)]), term('b')]],
    ['a->!@#$%^&*_b.asc', [term('a', { direction: 'asc' }, [key('!@#$%^&*_b')])]],
    ['r(a)', [term('a', { relation: 'r' })]],
    ['r(a).desc', [term('a', { relation: 'r', direction: 'desc' })]],
    ['r(a).desc.nullsfirst', [term('a', { relation: 'r', direction: 'desc', nulls: 'first' })]],
    ['r ( a ) , b', [term('a', { relation: 'r' }), term('b')]],
    ['"r.s"("a.b")', [term('a.b', { relation: 'r.s' })]],
    ['r(a->b).asc', [term('a', { relation: 'r', direction: 'asc' }, [key('b')])]],
    ['r(a->>0)', [term('a', { relation: 'r' }, [index(0)])]],
    ['a,r(b),c', [term('a'), term('b', { relation: 'r' }), term('c')]],
  ])('is parsed: %j', (text, terms) => {
    expect(parse(text)).toEqual(terms);
  });

  const nulls = '"nullsfirst" or "nullslast"';
  const any = `"asc", "desc", ${nulls}`;
  it.each<[text: string, refusal: string]>([
    ['', `1: unexpected end of input expecting ${EXPECTED_NAME}`],
    [',', `1: unexpected "," expecting ${EXPECTED_NAME}`],
    ['a,', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['*', `1: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['a.', `3: unexpected end of input expecting ${any}`],
    ['id.ac', `4: unexpected "a" expecting ${any}`],
    ['id.ASC', `4: unexpected "A" expecting ${any}`],
    ['id.smth34', `4: unexpected "s" expecting ${any}`],
    ['id.nulsfist', `4: unexpected "n" expecting ${any}`],
    ['a.b.desc', `3: unexpected "b" expecting ${any}`],
    ['id.descc', `8: unexpected 'c' expecting "," or end of input`],
    ['id.asc.', `8: unexpected end of input expecting ${nulls}`],
    ['id.asc.smth34', `8: unexpected "s" expecting ${nulls}`],
    ['id.asc.desc', `8: unexpected "d" expecting ${nulls}`],
    ['id.nullsfirst.asc', `14: unexpected '.' expecting "," or end of input`],
    ['id.nullslasttt', `13: unexpected 't' expecting "," or end of input`],
    ['id.asc.nullslasttt', `17: unexpected 't' expecting "," or end of input`],
    ['id.asc.nullslast.asc', `17: unexpected '.' expecting "," or end of input`],
    ['id::text', `3: unexpected ':' expecting "," or end of input`],
    ['id desc;', `8: unexpected ';' expecting "," or end of input`],
    ['id)', `3: unexpected ')' expecting "," or end of input`],
    ['r(', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['r()', `3: unexpected ")" expecting ${EXPECTED_NAME}`],
    ['r(a', '4: unexpected end of input expecting ")"'],
    ['r(a,b)', '4: unexpected "," expecting ")"'],
    ['r(a.desc)', '4: unexpected "." expecting ")"'],
    ['r(s(a))', '4: unexpected "(" expecting ")"'],
    ['r(a)b', `5: unexpected 'b' expecting "," or end of input`],
    ['r(a)->b', `5: unexpected '-' expecting "," or end of input`],
    [
      'a->',
      '4: unexpected end of input expecting "-", digit or any non reserved character different from: .,>()',
    ],
  ])('is rejected: %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('is rejected with more terms than allowed', () => {
    const terms = (count: number) => Array(count).fill('a').join();
    expect(parse(terms(MAX_ORDER_TERMS))).toHaveLength(MAX_ORDER_TERMS);
    expect(refusalOf(() => parse(terms(MAX_ORDER_TERMS + 1)))).toContain('at most 500 terms');
  });

  it('is named in errors', () => {
    expect(() => parse('')).toThrow('"failed to parse order ()" (line 1, column 1)');
  });
});
