/** Names of parameters. */
import { describe, expect, it } from 'vitest';
import { parseFieldKey, parseLogicKey, parsePath } from './key.ts';
import { MAX_EMBED_DEPTH, Usage } from './limits.ts';
import { EXPECTED_NAME } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

describe('keys of filters', () => {
  const parse = (key: string) => parseFieldKey(key, new Usage());

  it.each<[key: string, path: string[], name: string]>([
    ['a', [], 'a'],
    [' a ', [], 'a'],
    ['a.b', ['a'], 'b'],
    ['a.b.c', ['a', 'b'], 'c'],
    [' a . b ', ['a'], 'b'],
    ['"a.b"', [], 'a.b'],
    ['"a.b"."c.d"', ['a.b'], 'c.d'],
    ['"a" ', [], 'a'],
    ['a b-c', [], 'a b-c'],
    ['not.a', ['not'], 'a'],
    ['名.é', ['名'], 'é'],
  ])('are parsed: %j', (key, path, name) => {
    expect(parse(key)).toEqual({ path, field: { name, path: [] } });
  });

  it('may contain a JSON path', () => {
    const steps = [
      { arrow: '->', operand: { kind: 'key', key: 'c' } },
      { arrow: '->>', operand: { kind: 'index', index: -1 } },
    ];
    expect(parse('a.b->c->>-1')).toEqual({ path: ['a'], field: { name: 'b', path: steps } });
  });

  it.each<[key: string, refusal: string]>([
    ['', `1: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['.', `1: unexpected "." expecting ${EXPECTED_NAME}`],
    ['.a', `1: unexpected "." expecting ${EXPECTED_NAME}`],
    ['a.', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['a..b', `3: unexpected "." expecting ${EXPECTED_NAME}`],
    ['*', `1: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['a!b', "2: unexpected '!' expecting end of input"],
    ['a,b', "2: unexpected ',' expecting end of input"],
    ['a[]', "2: unexpected '[' expecting end of input"],
    ['a(b)', "2: unexpected '(' expecting end of input"],
    ['a::int', "2: unexpected ':' expecting end of input"],
    ['a->b.c', "5: unexpected '.' expecting end of input"],
    ['a->b::int', "5: unexpected ':' expecting end of input"],
    [
      'a->',
      '4: unexpected end of input expecting "-", digit or any non reserved character different from: .,>()',
    ],
    ['"a', '3: unexpected end of input expecting "\\"" (the end of a quoted name)'],
    ['"a"b', "4: unexpected 'b' expecting end of input"],
  ])('are rejected: %j', (key, refusal) => {
    expect(refusalOf(() => parse(key))).toBe(refusal);
  });
});

describe('keys of order, limit and offset', () => {
  const parse = (key: string) => parsePath(key, new Usage());

  it.each<[key: string, path: string[]]>([
    ['order', []],
    ['a.order', ['a']],
    ['a.b.limit', ['a', 'b']],
    ['"a.b".offset', ['a.b']],
    ['order.order', ['order']],
  ])('have in %j the path %j', (key, path) => {
    expect(parse(key)).toEqual(path);
  });

  it.each(['.order', 'a..order', 'a->b.order', '"a.order', 'a!.order', '*.limit'])(
    'are rejected: %j',
    (key) => {
      expect(refusalOf(() => parse(key))).toContain('unexpected');
    },
  );

  it('are rejected with more levels than allowed', () => {
    expect(parse(`${'a.'.repeat(MAX_EMBED_DEPTH)}order`)).toHaveLength(MAX_EMBED_DEPTH);
    expect(refusalOf(() => parse(`${'a.'.repeat(MAX_EMBED_DEPTH + 2)}order`))).toContain('at most 16 levels');
  });

  it('are named in errors', () => {
    expect(() => parse('.order')).toThrow('"failed to parse tree path (.order)" (line 1, column 1)');
  });
});

describe('keys of and and or', () => {
  const parse = (key: string) => parseLogicKey(key, new Usage());

  it.each<[key: string, path: string[], isNegated: boolean]>([
    ['or', [], false],
    ['and', [], false],
    ['not.or', [], true],
    ['a.or', ['a'], false],
    ['a.not.and', ['a'], true],
    ['a.b.not.or', ['a', 'b'], true],
    ['not.not.or', ['not'], true],
    ['not.a.or', ['not', 'a'], false],
    ['"not".or', ['not'], false],
    ['"not".not.or', ['not'], true],
    ['a."not".or', ['a', 'not'], false],
    ['"a.b".or', ['a.b'], false],
  ])('are parsed: %j', (key, path, isNegated) => {
    expect(parse(key)).toEqual({ path, isNegated });
  });

  it.each(['.or', 'a..or', 'a->b.or', '"a.or', 'not..or'])('are rejected: %j', (key) => {
    expect(() => parse(key)).toThrow('failed to parse logic path');
  });
});
