/** Conditions: operators, and the values behind them. */
import { describe, expect, it } from 'vitest';
import type { Operation } from './ast.ts';
import { parseFilterValue, parseNestedCondition, refuseFilterValue } from './filter.ts';
import { MAX_CONDITIONS, MAX_LIST_VALUES, Usage } from './limits.ts';
import { Scanner } from './scanner.ts';
import { operatorNames } from './testing/operator-names.ts';
import { refusalOf } from './testing/refusal.ts';

const parse = (text: string) => parseFilterValue(text, new Usage());
const operationOf = (text: string) => parse(text)?.operation;

const VALUES = ['', '5', ' a ', 'a.b', 'a,b)', '"a"', '{1,2}', '[1,3)', 'é', '\n', 'not.eq.1', '*x*'];
const EXPECTED = 'expecting operator (eq, gt, ...)';

describe.each(operatorNames('quantifiable'))('%s', (operator) => {
  it.each(VALUES)('takes the remaining text as its value: %j', (value) => {
    const operation: Operation = { kind: 'quantifiable', operator, quantifier: undefined, value };
    expect(parse(`${operator}.${value}`)).toEqual({ isNegated: false, operation });
    expect(parse(`not.${operator}.${value}`)).toEqual({ isNegated: true, operation });
  });

  it.each(['any', 'all'] as const)('accepts the modifier %s', (quantifier) => {
    const operation: Operation = { kind: 'quantifiable', operator, quantifier, value: '{1,2}' };
    expect(parse(`${operator}(${quantifier}).{1,2}`)).toEqual({ isNegated: false, operation });
    expect(parse(`not.${operator}(${quantifier}).{1,2}`)).toEqual({ isNegated: true, operation });
  });
});

describe.each(operatorNames('simple'))('%s', (operator) => {
  it.each(VALUES)('takes the remaining text as its value: %j', (value) => {
    const operation: Operation = { kind: 'simple', operator, value };
    expect(parse(`${operator}.${value}`)).toEqual({ isNegated: false, operation });
    expect(parse(`not.${operator}.${value}`)).toEqual({ isNegated: true, operation });
  });

  it('rejects modifiers', () => {
    expect(refusalOf(() => parse(`not.${operator}(any).1`))).toContain(`unexpected "(" ${EXPECTED}`);
  });
});

describe.each(operatorNames('search'))('%s', (operator) => {
  it.each([
    [`${operator}.a b`, undefined, 'a b'],
    [`${operator}(english).a`, 'english', 'a'],
    [`${operator}( my config ).a`, 'my config', 'a'],
    [`${operator}(x).(y).z`, 'x', '(y).z'],
    [`${operator}.`, undefined, ''],
  ])('parses %j', (text, config, value) => {
    const operation: Operation = { kind: 'search', operator, config, value };
    expect(parse(text)).toEqual({ isNegated: false, operation });
    expect(parse(`not.${text}`)).toEqual({ isNegated: true, operation });
  });

  it.each(['()', '( )', '(a', '(a-b)', '("a")', "(a')", '(a.b)', '(a)x'])(
    'rejects the configuration %j',
    (config) => {
      expect(refusalOf(() => parse(`not.${operator}${config}.x`))).toContain(EXPECTED);
    },
  );
});

describe('is', () => {
  it.each([
    ['null', 'null'],
    ['NULL', 'null'],
    ['nUlL', 'null'],
    ['not_null', 'not_null'],
    ['NOT_NULL', 'not_null'],
    ['true', 'true'],
    ['True', 'true'],
    ['false', 'false'],
    ['FALSE', 'false'],
    ['unknown', 'unknown'],
    ['UnKnown', 'unknown'],
    ['null ', 'null'],
  ])('accepts %s', (text, value) => {
    expect(parse(`is.${text}`)).toEqual({ isNegated: false, operation: { kind: 'is', value } });
    expect(parse(`not.is.${text}`)).toEqual({ isNegated: true, operation: { kind: 'is', value } });
  });

  const values = 'isVal: (null, not_null, true, false, unknown)';
  it.each([
    ['is.', `4: unexpected end of input expecting ${values}`],
    ['is.nul', `4: unexpected "n" expecting ${values}`],
    ['is.nullx', `4: unexpected "n" expecting ${values}`],
    ['is. null', `4: unexpected " " expecting ${values}`],
    ['is.not.null', `4: unexpected "n" expecting ${values}`],
    ['is.1', `4: unexpected "1" expecting ${values}`],
    ['is."null"', `4: unexpected """ expecting ${values}`],
    ['is.constructor', `4: unexpected "c" expecting ${values}`],
    ['not.is.nope', `8: unexpected "n" expecting ${values}`],
    ['is.null,', "8: unexpected ',' expecting end of input"],
    ['is.null or', "9: unexpected 'o' expecting end of input"],
  ])('rejects %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });
});

describe('in', () => {
  it.each<[text: string, values: string[]]>([
    ['()', []],
    ['( )', []],
    ['(1)', ['1']],
    ['(1,2,3)', ['1', '2', '3']],
    [' ( 1, 2 , 3 ) ', ['1', ' 2 ', ' 3 ']],
    ['(,)', ['', '']],
    ['(a,)', ['a', '']],
    ['("")', ['']],
    ['("","")', ['', '']],
    ['("a,b","c)")', ['a,b', 'c)']],
    ['("a\\"b","c\\\\d")', ['a"b', 'c\\d']],
    ['("a" )', ['"a" ']],
    ['(a, "b")', ['a', ' "b"']],
    ['("a"b,c)', ['"a"b', 'c']],
    ['("a" b)', ['"a" b']],
    ['("a"b","c")', ['"a"b"', 'c']],
    ['("a)', ['"a']],
    ['("a,b)', ['"a', 'b']],
    ['(a"b"c)', ['a"b"c']],
    ['(a.b,c(d)', ['a.b', 'c(d']],
    ['(null,true)', ['null', 'true']],
    ['({1,2})', ['{1', '2}']],
    ['(é,名)', ['é', '名']],
    ['(a b,\n)', ['a b', '\n']],
  ])('parses %j as %j', (text, values) => {
    expect(parse(`in.${text}`)).toEqual({ isNegated: false, operation: { kind: 'in', values } });
    expect(parse(`not.in.${text}`)).toEqual({ isNegated: true, operation: { kind: 'in', values } });
  });

  it.each([
    ['in.', '4: unexpected end of input expecting "("'],
    ['in.1,2', '4: unexpected "1" expecting "("'],
    ['in.{1}', '4: unexpected "{" expecting "("'],
    ['in.(', '5: unexpected end of input expecting "," or ")"'],
    ['in.(1', '6: unexpected end of input expecting "," or ")"'],
    ['in.(1,', '7: unexpected end of input expecting "," or ")"'],
    ['in.("a', '7: unexpected end of input expecting "," or ")"'],
    ['in.("a"', '8: unexpected end of input expecting "," or ")"'],
    ['in.(1)2', "7: unexpected '2' expecting end of input"],
    ['in.(1))', "7: unexpected ')' expecting end of input"],
    ['not.in.1', '8: unexpected "1" expecting "("'],
  ])('rejects %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('accepts the maximum number of values and rejects more', () => {
    const list = (count: number) => `in.(${'1,'.repeat(count - 1)}1)`;
    expect(operationOf(list(MAX_LIST_VALUES))).toMatchObject({ kind: 'in' });
    expect(refusalOf(() => parse(list(MAX_LIST_VALUES + 1)))).toContain('at most 20000 values');
  });
});

describe('a text without an operator', () => {
  it.each([
    ...[
      '',
      '1',
      'eq',
      'eqx',
      'eq5',
      'eqx.1',
      'EQ.1',
      'Is.null',
      'noop.0',
      '.',
      '.eq.1',
      ' eq.1',
      'not',
      'note.eq.1',
    ],
    ...[
      'eq().1',
      'eq(any)',
      'eq(any1',
      'eq(some).1',
      'eq( any).1',
      'eq(ANY).1',
      'in',
      'in(1)',
      'in().1',
      'is',
    ],
    ...[
      'is().null',
      'isdistinct',
      'isdistinct(any).1',
      'neq(any).1',
      'fts',
      'fts().x',
      'fts(x',
      'fts(a-b).x',
    ],
    ...['{1,2}', '"a"', 'constructor.1', 'toString.1', '__proto__.1', 'eq:1', 'or.1', 'and.1', '2024-01-01'],
  ])('is not a condition: %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it.each([
    ['', '5: unexpected end of input'],
    ['x', '5: unexpected "x"'],
    ['noop.0', '5: unexpected "n"'],
    ['not.eq.1', '5: unexpected "n"'],
    ['eq', '7: unexpected end of input'],
    ['eq().value', '8: unexpected ")"'],
    ['eq(some).value', '8: unexpected "s"'],
    ['is().value', '7: unexpected "("'],
    ['in().value', '7: unexpected "("'],
    ['fts().value', '9: unexpected ")"'],
  ])('is rejected after not: %j', (text, refusal) => {
    expect(refusalOf(() => parse(`not.${text}`))).toBe(`${refusal} ${EXPECTED}`);
  });

  it('is rejected where a condition is required', () => {
    const refuse = () => refuseFilterValue('val', new Usage());
    expect(refusalOf(refuse)).toBe('1: unexpected "v" expecting "not" or operator (eq, gt, ...)');
    expect(refuse).toThrow('"failed to parse filter (val)" (line 1, column 1)');
  });
});

describe('values within parentheses', () => {
  /** The parsed value and the remaining text. */
  function nested(text: string): [value: unknown, rest: string] {
    const scanner = new Scanner('logic tree', `eq.${text}`, new Usage());
    const { operation } = parseNestedCondition(scanner);
    return ['value' in operation && operation.value, scanner.text.slice(scanner.position)];
  }

  it.each<[text: string, value: string, rest: string]>([
    ['1,b', '1', ',b'],
    ['1)', '1', ')'],
    ['1', '1', ''],
    [',', '', ','],
    [' 1 )', ' 1 ', ')'],
    ['a.b(c)', 'a.b(c', ')'],
    ['"a,b)",c', 'a,b)', ',c'],
    ['"a"', 'a', ''],
    ['"a\\"\\\\b")', 'a"\\b', ')'],
    ['"")', '', ')'],
    ['"a" )', '"a" ', ')'],
    ['"a"b)', '"a"b', ')'],
    ['"a,b)', '"a', ',b)'],
    ['a"b,c"', 'a"b', ',c"'],
    ['{1,2},c', '{1,2}', ',c'],
    ['{}', '{}', ''],
    ['{a)b}', '{a)b}', ''],
    ['{"a,b"})', '{"a,b"}', ')'],
    ['{1,2}3', '{1,2}', '3'],
    ['{1,{2}}', '{1', ',{2}}'],
    ['{1,2', '{1', ',2'],
    ['[1,3]', '[1', ',3]'],
  ])('are parsed from %j as %j, followed by %j', (text, value, rest) => {
    expect(nested(text)).toEqual([value, rest]);
  });

  it.each(['x.1', '', 'not.', 'eq(any', 'not.not.eq.1', 'and(a.eq.1)'])(
    'are rejected without an operator: %j',
    (text) => {
      const scanner = new Scanner('logic tree', text, new Usage());
      expect(refusalOf(() => parseNestedCondition(scanner))).toContain(EXPECTED);
    },
  );
});

it('counts conditions and rejects more than allowed', () => {
  const usage = new Usage();
  for (let count = 0; count < MAX_CONDITIONS; count += 1) parseFilterValue('eq.1', usage);
  expect(refusalOf(() => parseFilterValue('eq.1', usage))).toBe('5: at most 1000 conditions');
});
