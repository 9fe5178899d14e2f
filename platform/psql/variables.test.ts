import { describe, expect, it } from 'vitest';
import { argumentsOf } from './arguments.ts';
import { interpolate } from './variables.ts';

const VARIABLES = new Map([
  ['a', 'x'],
  ['name', `it's`],
  ['table', 'My "Table"'],
]);

describe('interpolate', () => {
  it.each([
    ['a value', 'select :a', 'select x'],
    ['a literal', `select :'name'`, `select 'it''s'`],
    ['an identifier', 'select * from :"table"', 'select * from "My ""Table"""'],
    ['whether a variable is set', 'select :{?a}, :{?b}', 'select TRUE, FALSE'],
    ['nothing for a name that is not set', `select :b, :'b', :"b"`, `select :b, :'b', :"b"`],
    ['nothing for a cast', 'select 1::a, y::a', 'select 1::a, y::a'],
    [
      'nothing in quotes and comments',
      `select ':a' /* :a */, $$:a$$, ":a"`,
      `select ':a' /* :a */, $$:a$$, ":a"`,
    ],
    ['nothing for an assignment', 'call f(x := a)', 'call f(x := a)'],
  ])('inserts %s', (_, sql, expected) => {
    expect(interpolate(sql, VARIABLES)).toBe(expected);
  });
});

describe('argumentsOf', () => {
  const valuesOf = (text: string) => argumentsOf(text, VARIABLES).map(({ value }) => value);

  it.each<[string, string[]]>([
    ['', []],
    ['a  b', ['a', 'b']],
    [`'a b' c`, ['a b', 'c']],
    [`a'b c'd`, ['ab cd']],
    [`'it''s' '\\'q\\''`, [`it's`, `'q'`]],
    [`'a\\tb\\n\\101\\x42'`, ['a\tb\nAB']],
    ['"a b"', ['"a b"']],
    [`:a :'name' :"table" :b`, ['x', `'it''s'`, '"My ""Table"""', ':b']],
    ['fixtures/two.sql', ['fixtures/two.sql']],
  ])('reads %s', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  it('refuses a command of the shell', () => {
    expect(() => valuesOf('a `date`')).toThrow('commands of the shell in backquotes are not run');
  });
});
