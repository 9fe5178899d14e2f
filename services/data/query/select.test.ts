/** Items of `select`. */
import { describe, expect, it } from 'vitest';
import type { JsonStep, SelectEmbed, SelectField, SelectItem } from './ast.ts';
import { MAX_EMBED_DEPTH, MAX_EMBEDS, MAX_SELECT_ITEMS, Usage } from './limits.ts';
import { EXPECTED_NAME } from './scanner.ts';
import { parseSelect } from './select.ts';
import { refusalOf } from './testing/refusal.ts';

const parse = (text: string) => parseSelect(text, new Usage());

const all: SelectItem = { kind: 'all' };
const field = (name: string, rest: Partial<SelectField> = {}, path: JsonStep[] = []): SelectItem => ({
  kind: 'field',
  field: { name, path },
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
  ...rest,
});
const count = (alias?: string, cast?: string): SelectItem => ({ kind: 'count', alias, cast });
const embed = (target: string, select: SelectItem[], rest: Partial<SelectEmbed> = {}): SelectItem => ({
  kind: 'embed',
  target,
  alias: undefined,
  hint: undefined,
  join: undefined,
  isSpread: false,
  select,
  ...rest,
});
const key = (text: string): JsonStep => ({ arrow: '->', operand: { kind: 'key', key: text } });
const index = (number: number): JsonStep => ({ arrow: '->>', operand: { kind: 'index', index: number } });

describe('fields', () => {
  it.each<[text: string, items: SelectItem[]]>([
    ['', []],
    ['  ', []],
    ['*', [all]],
    [' * ', [all]],
    ['*,a', [all, field('a')]],
    ['* , a', [all, field('a')]],
    ['a', [field('a')]],
    ['a,b', [field('a'), field('b')]],
    ['a , b\t,\tc', [field('a'), field('b'), field('c')]],
    ['a,a', [field('a'), field('a')]],
    ['"*"', [field('*')]],
    ['"a,b" , c', [field('a,b'), field('c')]],
    ['a b', [field('a b')]],
    ['count', [field('count')]],
    ['x:count', [field('count', { alias: 'x' })]],
    ['inner', [field('inner')]],
    ['x:a', [field('a', { alias: 'x' })]],
    ['x : a', [field('a', { alias: 'x' })]],
    ['"x:y":"a:b"', [field('a:b', { alias: 'x:y' })]],
    ['a::text', [field('a', { cast: 'text' })]],
    ['a::text ,b', [field('a', { cast: 'text' }), field('b')]],
    ['a ::double precision', [field('a', { cast: 'double precision' })]],
    ['x:a::text', [field('a', { alias: 'x', cast: 'text' })]],
    ['"a"::text', [field('a', { cast: 'text' })]],
    ['a->b', [field('a', {}, [key('b')])]],
    ['x:a->b->>0::int', [field('a', { alias: 'x', cast: 'int' }, [key('b'), index(0)])]],
    ['a->b!c', [field('a', {}, [key('b!c')])]],
    ['a->>0,b', [field('a', {}, [index(0)]), field('b')]],
    ['a.sum()', [field('a', { aggregate: { name: 'sum', cast: undefined } })]],
    ['a.avg()', [field('a', { aggregate: { name: 'avg', cast: undefined } })]],
    ['a.count()', [field('a', { aggregate: { name: 'count', cast: undefined } })]],
    ['a.min()', [field('a', { aggregate: { name: 'min', cast: undefined } })]],
    ['a.max()', [field('a', { aggregate: { name: 'max', cast: undefined } })]],
    ['a.max() , b', [field('a', { aggregate: { name: 'max', cast: undefined } }), field('b')]],
    ['a.sum()::text', [field('a', { aggregate: { name: 'sum', cast: 'text' } })]],
    ['a::int.sum()', [field('a', { cast: 'int', aggregate: { name: 'sum', cast: undefined } })]],
    [
      'x:a->b::int.sum()::text',
      [field('a', { alias: 'x', cast: 'int', aggregate: { name: 'sum', cast: 'text' } }, [key('b')])],
    ],
    ['a->>0.sum()', [field('a', { aggregate: { name: 'sum', cast: undefined } }, [index(0)])]],
    ['count()', [count()]],
    ['count()::text', [count(undefined, 'text')]],
    ['x:count()', [count('x')]],
    ['x:count()::text,a', [count('x', 'text'), field('a')]],
    ['a,count()', [field('a'), count()]],
  ])('are parsed: %j', (text, items) => {
    expect(parse(text)).toEqual(items);
  });
});

describe('embeddings', () => {
  it.each<[text: string, items: SelectItem[]]>([
    ['r(*)', [embed('r', [all])]],
    ['r()', [embed('r', [])]],
    ['r( )', [embed('r', [])]],
    ['r( a , b ) , c', [embed('r', [field('a'), field('b')]), field('c')]],
    ['r (a)', [embed('r', [field('a')])]],
    ['a,r(b),c', [field('a'), embed('r', [field('b')]), field('c')]],
    ['r(count)', [embed('r', [field('count')])]],
    ['r(count())', [embed('r', [count()])]],
    ['r(a.sum())', [embed('r', [field('a', { aggregate: { name: 'sum', cast: undefined } })])]],
    ['r(a::text)', [embed('r', [field('a', { cast: 'text' })])]],
    ['r(a->>0)', [embed('r', [field('a', {}, [index(0)])])]],
    ['r(s(t(a)))', [embed('r', [embed('s', [embed('t', [field('a')])])])]],
    ['r(s(),t())', [embed('r', [embed('s', []), embed('t', [])])]],
    ['"r.s"(a)', [embed('r.s', [field('a')])]],
    ['"count"(a)', [embed('count', [field('a')])]],
    ['"count"()', [embed('count', [])]],
    ['x:r(a)', [embed('r', [field('a')], { alias: 'x' })]],
    ['"x y" : "r"(a)', [embed('r', [field('a')], { alias: 'x y' })]],
    ['r!inner(a)', [embed('r', [field('a')], { join: 'inner' })]],
    ['r!left(a)', [embed('r', [field('a')], { join: 'left' })]],
    ['r!fk(a)', [embed('r', [field('a')], { hint: 'fk' })]],
    ['r!fk!inner(a)', [embed('r', [field('a')], { hint: 'fk', join: 'inner' })]],
    ['r!inner!fk(a)', [embed('r', [field('a')], { hint: 'fk', join: 'inner' })]],
    ['r ! fk ! left (a)', [embed('r', [field('a')], { hint: 'fk', join: 'left' })]],
    ['r!"inner"(a)', [embed('r', [field('a')], { hint: 'inner' })]],
    ['r!innermost(a)', [embed('r', [field('a')], { hint: 'innermost' })]],
    ['r!left-over(a)', [embed('r', [field('a')], { hint: 'left-over' })]],
    ['r!Inner(a)', [embed('r', [field('a')], { hint: 'Inner' })]],
    ['x:r!fk!inner(a)', [embed('r', [field('a')], { alias: 'x', hint: 'fk', join: 'inner' })]],
    ['...r(a)', [embed('r', [field('a')], { isSpread: true })]],
    ['...r()', [embed('r', [], { isSpread: true })]],
    ['... r(a)', [embed('r', [field('a')], { isSpread: true })]],
    ['...r!fk!inner(a)', [embed('r', [field('a')], { isSpread: true, hint: 'fk', join: 'inner' })]],
    ['r(...s(a))', [embed('r', [embed('s', [field('a')], { isSpread: true })])]],
    ['a, ...r(a)', [field('a'), embed('r', [field('a')], { isSpread: true })]],
  ])('are parsed: %j', (text, items) => {
    expect(parse(text)).toEqual(items);
  });
});

describe('trailing text of a select list', () => {
  it.each([
    ['an embedding', 'a,r(b))', 'a,r(b)'],
    ['an embedding and a quote', "a,r(b)'::text,c", 'a,r(b)'],
    ['a cast', 'a::int);drop table x', 'a::int'],
    ['a parenthesis at the start', ')a', ''],
  ])('is ignored after %s', (_name, text, whole) => {
    expect(parse(text)).toEqual(parse(whole));
  });
});

describe('an invalid select list', () => {
  const aggregate = 'sum(), avg(), count(), min() or max()';
  it.each<[text: string, refusal: string]>([
    [',', `1: unexpected "," expecting ${EXPECTED_NAME}`],
    ['a,', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['a,,b', `3: unexpected "," expecting ${EXPECTED_NAME}`],
    ['**', `2: unexpected '*' expecting "," or end of input`],
    ['*!hint', `2: unexpected '!' expecting "," or end of input`],
    ['*::text', `2: unexpected ':' expecting "," or end of input`],
    ['x:*', `3: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['x:', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['x:y:a', `4: unexpected ':' expecting "," or end of input`],
    [':a', `1: unexpected ":" expecting ${EXPECTED_NAME}`],
    ['a::', '4: unexpected end of input expecting letter or digit'],
    ['a::,b', '4: unexpected "," expecting letter or digit'],
    ['a::text[]', `8: unexpected '[' expecting "," or end of input`],
    ['a::"text"', '4: unexpected """ expecting letter or digit'],
    ["a::int'", `7: unexpected ''' expecting "," or end of input`],
    ['a::numeric(1,2)', `11: unexpected '(' expecting "," or end of input`],
    ['a::int::text', `7: unexpected ':' expecting "," or end of input`],
    ['a.', `3: unexpected end of input expecting ${aggregate}`],
    ['a.b', `3: unexpected "b" expecting ${aggregate}`],
    ['a.sum', `3: unexpected "s" expecting ${aggregate}`],
    ['a.sum(', `3: unexpected "s" expecting ${aggregate}`],
    ['a.sum(b)', `3: unexpected "s" expecting ${aggregate}`],
    ['a.SUM()', `3: unexpected "S" expecting ${aggregate}`],
    ['a.median()', `3: unexpected "m" expecting ${aggregate}`],
    ['a.constructor()', `3: unexpected "c" expecting ${aggregate}`],
    ['a.sum()::', '10: unexpected end of input expecting letter or digit'],
    ['a.sum().max()', `8: unexpected '.' expecting "," or end of input`],
    ['count().sum()', `8: unexpected '.' expecting "," or end of input`],
    ['count(a)', '7: unexpected "a" expecting ")"'],
    ['count(', '7: unexpected end of input expecting ")"'],
    ['a[]', `2: unexpected '[' expecting "," or end of input`],
    ['r(a[])', '4: unexpected "[" expecting ")" or ","'],
    ['r(', '3: unexpected end of input expecting ")" or ","'],
    ['r(a', '4: unexpected end of input expecting ")" or ","'],
    ['r(a,', `5: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['r(a,)', `5: unexpected ")" expecting ${EXPECTED_NAME}`],
    ['r!', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['r!(a)', `3: unexpected "(" expecting ${EXPECTED_NAME}`],
    ['r!fk', '5: unexpected end of input expecting "("'],
    ['r!a!b(c)', '5: unexpected "b" expecting one hint only'],
    ['r!inner!left(c)', '9: unexpected "l" expecting one of inner and left only'],
    ['r!a!inner!b(c)', '11: unexpected "b" expecting one hint only'],
    ['r->b(c)', `5: unexpected '(' expecting "," or end of input`],
    ['...', `4: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['...r', '5: unexpected end of input expecting "("'],
    ['...*', `4: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['...x:r(a)', '5: unexpected ":" expecting "("'],
    ['x:...r(a)', `3: unexpected "." expecting ${EXPECTED_NAME}`],
    ['..r(a)', `1: unexpected "." expecting ${EXPECTED_NAME}`],
    ['a->(b', '4: unexpected "(" expecting "-", digit or any non reserved character different from: .,>()'],
    ['a->>--34', '6: unexpected "-" expecting digit'],
  ])('is rejected: %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('is rejected with more levels than allowed', () => {
    const nested = (depth: number) => 'r('.repeat(depth) + ')'.repeat(depth);
    expect(parse(nested(MAX_EMBED_DEPTH))).toHaveLength(1);
    expect(refusalOf(() => parse(nested(MAX_EMBED_DEPTH + 1)))).toBe('34: at most 16 levels of embeds');
  });

  it('is rejected with more items than allowed in total', () => {
    const items = (count: number) => Array(count).fill('a').join();
    expect(parse(items(MAX_SELECT_ITEMS))).toHaveLength(MAX_SELECT_ITEMS);
    expect(refusalOf(() => parse(items(MAX_SELECT_ITEMS + 1)))).toContain('at most 2000 items');
    expect(refusalOf(() => parse(`${items(MAX_SELECT_ITEMS - 1)},r(a)`))).toContain('at most 2000 items');
  });

  it('is rejected with more embeddings than allowed in total', () => {
    const embeds = (count: number) => Array(count).fill('r(a)').join();
    expect(parse(embeds(MAX_EMBEDS))).toHaveLength(MAX_EMBEDS);
    expect(refusalOf(() => parse(embeds(MAX_EMBEDS + 1)))).toContain('at most 100 embeds');
    expect(refusalOf(() => parse(`${embeds(MAX_EMBEDS - 1)},r(a,...s(b))`))).toContain('at most 100 embeds');
  });

  it('is quoted in errors', () => {
    expect(() => parse('a!')).toThrow('"failed to parse select parameter (a!)" (line 1, column 3)');
  });
});
