import { describe, expect, it } from 'vitest';
import { cast, catalogSql, integer, join, name, nameText, parameter, sql, toText } from './sql.ts';

describe('toText', () => {
  it('numbers parameters in order and reuses the number of a slot', () => {
    const fragment = sql`${parameter(7)} + ${parameter(2)} + ${sql`(${parameter(7)})`}`;
    expect(toText(fragment)).toEqual({ text: '$1 + $2 + ($1)', slots: [7, 2] });
  });

  it('joins fragments with a separator', () => {
    expect(toText(join([sql`a`, sql`b`, sql`c`], ', ')).text).toBe('a, b, c');
    expect(toText(join([], ' and ')).text).toBe('');
  });
});

describe('name', () => {
  it.each<[names: string[], text: string]>([
    [['a'], '"a"'],
    [['a', 'b c'], '"a"."b c"'],
    [['a"; drop table b; --'], '"a""; drop table b; --"'],
    [['\\'], '"\\"'],
    [['$1'], '"$1"'],
  ])('quotes %j', (names, text) => {
    expect(toText(name(...names)).text).toBe(text);
  });

  it('rejects a null character', () => {
    expect(() => name('a\0b')).toThrow(expect.objectContaining({ code: 'PGRST100' }));
  });
});

describe('nameText', () => {
  it.each<[text: string, literal: string]>([
    ['a', "'a'"],
    ["a'; drop table b; --", "'a''; drop table b; --'"],
    ['\\', " E'\\\\'"],
    ["\\'", " E'\\\\'''"],
    ['$1', "'$1'"],
  ])('escapes %j', (text, literal) => {
    expect(toText(nameText(text)).text).toBe(literal);
  });

  it('rejects a null character', () => {
    expect(() => nameText('a\0b')).toThrow(expect.objectContaining({ code: 'PGRST100' }));
  });
});

it('inserts SQL of the catalog unchanged', () => {
  expect(toText(catalogSql("nextval('a.b'::regclass)")).text).toBe("nextval('a.b'::regclass)");
});

describe('cast', () => {
  it.each(['int', 'double precision', 'my_type$', 'größe', 'int4 '])('accepts the type %j', (type) => {
    expect(toText(cast(sql`x`, type)).text).toBe(`cast(x as ${type})`);
  });

  it.each([
    '',
    'int)',
    'int[]',
    'a"b',
    "a'b",
    'int; x',
    'a--',
    'a.b',
    'int\n',
    '$$',
    'int $1',
    '$tag$',
    'a\0',
  ])('rejects the type %j', (type) => {
    expect(() => cast(sql`x`, type)).toThrow(expect.objectContaining({ code: 'PGRST100' }));
  });

  it('returns the expression unchanged without a type', () => {
    expect(toText(cast(sql`x`, undefined)).text).toBe('x');
  });
});

describe('integer', () => {
  it.each([Number.NaN, 1.5, 1e21, Number.POSITIVE_INFINITY])('rejects %d', (number) => {
    expect(() => integer(number)).toThrow('not a whole number');
  });
});
