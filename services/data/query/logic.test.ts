/** Groups of conditions. */
import { describe, expect, it } from 'vitest';
import type { Field, Logic } from './ast.ts';
import { MAX_CONDITIONS, MAX_LOGIC_DEPTH, Usage } from './limits.ts';
import { parseLogic } from './logic.ts';
import { EXPECTED_NAME } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

const parse = (text: string) => parseLogic('or', false, text, new Usage());

const eq = (name: string, value: string, isNegated = false, path: Field['path'] = []): Logic => ({
  kind: 'filter',
  filter: {
    field: { name, path },
    isNegated,
    operation: { kind: 'quantifiable', operator: 'eq', quantifier: undefined, value },
  },
});
const filter = (name: string, operation: object, isNegated = false) => ({
  kind: 'filter',
  filter: { field: { name, path: [] }, isNegated, operation },
});
const and = (...operands: Logic[]): Logic => ({ kind: 'and', isNegated: false, operands });
const or = (...operands: Logic[]): Logic => ({ kind: 'or', isNegated: false, operands });
const not = (group: Logic): Logic => ({ ...group, isNegated: true }) as Logic;

describe('logical operators', () => {
  it.each<[text: string, operands: unknown[]]>([
    ['(a.eq.1)', [eq('a', '1')]],
    ['(a.eq.1,b.eq.2)', [eq('a', '1'), eq('b', '2')]],
    ['(a.eq.1, b.eq.2)', [eq('a', '1'), eq('b', '2')]],
    [' ( a.eq.1 , b.eq.2 ) ', [eq('a', '1 '), eq('b', '2 ')]],
    ['(a.not.eq.1)', [eq('a', '1', true)]],
    ['("a.b".eq.1)', [eq('a.b', '1')]],
    ['("a" .eq.1)', [eq('a', '1')]],
    ['(a->b.eq.1)', [eq('a', '1', false, [{ arrow: '->', operand: { kind: 'key', key: 'b' } }])]],
    ['(a->>0.eq.1)', [eq('a', '1', false, [{ arrow: '->>', operand: { kind: 'index', index: 0 } }])]],
    ['(and(a.eq.1,b.eq.2))', [and(eq('a', '1'), eq('b', '2'))]],
    ['(or(a.eq.1),and(b.eq.2))', [or(eq('a', '1')), and(eq('b', '2'))]],
    ['(not.and(a.eq.1))', [not(and(eq('a', '1')))]],
    ['(not.or(a.eq.1),b.eq.2)', [not(or(eq('a', '1'))), eq('b', '2')]],
    ['( and ( a.eq.1 , b.eq.2) , or ( c.eq.3) )', [and(eq('a', '1 '), eq('b', '2')), or(eq('c', '3'))]],
    ['(not.and (a.eq.1))', [not(and(eq('a', '1')))]],
    ['(and(or(and(a.eq.1))))', [and(or(and(eq('a', '1'))))]],
    ['(and.eq.1,or.eq.2,not.eq.3)', [eq('and', '1'), eq('or', '2'), eq('not', '3')]],
    ['(not.not.eq.1)', [eq('not', '1', true)]],
    ['("and".eq.1,"not".eq.2)', [eq('and', '1'), eq('not', '2')]],
    ['(and_a.eq.1,or_a.eq.2,not_a.eq.3)', [eq('and_a', '1'), eq('or_a', '2'), eq('not_a', '3')]],
    ['(a.eq.)', [eq('a', '')]],
    ['(a.eq."x,y)",b.eq.1)', [eq('a', 'x,y)'), eq('b', '1')]],
    ['(a.eq.{1,2},b.eq.1)', [eq('a', '{1,2}'), eq('b', '1')]],
    [
      '(a.is.null,b.is.NOT_NULL )',
      [filter('a', { kind: 'is', value: 'null' }), filter('b', { kind: 'is', value: 'not_null' })],
    ],
    ['(a.not.is.null)', [filter('a', { kind: 'is', value: 'null' }, true)]],
    ['(a.in.(1,2),b.eq.3)', [filter('a', { kind: 'in', values: ['1', '2'] }), eq('b', '3')]],
    ['(a.in.( "1,2" , 3 ) )', [filter('a', { kind: 'in', values: ['"1', '2" ', ' 3 '] })]],
    ['(a.in.())', [filter('a', { kind: 'in', values: [] })]],
    ['(a.not.in.(1))', [filter('a', { kind: 'in', values: ['1'] }, true)]],
    [
      '(a.fts(x).b c,d.eq.1)',
      [filter('a', { kind: 'search', operator: 'fts', config: 'x', value: 'b c' }), eq('d', '1')],
    ],
    ['(a.isdistinct.1)', [filter('a', { kind: 'simple', operator: 'isdistinct', value: '1' })]],
    ['(a.neq.1)', [filter('a', { kind: 'simple', operator: 'neq', value: '1' })]],
    [
      '(a.eq(any).{1,2})',
      [filter('a', { kind: 'quantifiable', operator: 'eq', quantifier: 'any', value: '{1,2}' })],
    ],
    ['(a.eq.1))', [eq('a', '1')]],
    ['(a.eq.1) ) )', [eq('a', '1')]],
  ])('are parsed: %j', (text, operands) => {
    expect(parse(text)).toEqual({ kind: 'or', isNegated: false, operands });
  });

  it('have the kind that the parameter names', () => {
    expect(parseLogic('and', false, '(a.eq.1)', new Usage())).toEqual(and(eq('a', '1')));
    expect(parseLogic('or', true, '(a.eq.1)', new Usage())).toEqual(not(or(eq('a', '1'))));
  });
});

describe('invalid logical operators', () => {
  const operand = `${EXPECTED_NAME}, negation operator (not) or logic operator (and, or)`;
  it.each<[text: string, refusal: string]>([
    ['', '3: unexpected end of input expecting "("'],
    ['a.eq.1', '3: unexpected "a" expecting "("'],
    [')(', '3: unexpected ")" expecting "("'],
    ['(', `4: unexpected end of input expecting ${operand}`],
    ['()', `4: unexpected ")" expecting ${operand}`],
    ['(,)', `4: unexpected "," expecting ${operand}`],
    ['(a.eq.1,)', `11: unexpected ")" expecting ${operand}`],
    ['(a.eq.1', '10: unexpected end of input expecting "," or ")"'],
    ['(a)', '5: unexpected ")" expecting delimiter (.)'],
    ['(a', '5: unexpected end of input expecting delimiter (.)'],
    ['(a.)', '6: unexpected ")" expecting operator (eq, gt, ...)'],
    ['(a.b.eq.1)', '6: unexpected "b" expecting operator (eq, gt, ...)'],
    ['(a.noop.1)', '6: unexpected "n" expecting operator (eq, gt, ...)'],
    ['(id.in.1,2,id.eq.3)', '10: unexpected "1" expecting "("'],
    ['(id.in.(1,2)', '15: unexpected end of input expecting "," or ")"'],
    ['(id.in.(1,2)x)', '15: unexpected "x" expecting "," or ")"'],
    ['(a.is.nope)', '9: unexpected "n" expecting isVal: (null, not_null, true, false, unknown)'],
    ['(a.is.null x)', '14: unexpected "x" expecting "," or ")"'],
    ['(a.eq.{1}2)', '12: unexpected "2" expecting "," or ")"'],
    ['(ord(a.eq.1))', '7: unexpected "(" expecting delimiter (.)'],
    ['(AND(a.eq.1))', '7: unexpected "(" expecting delimiter (.)'],
    ['("and"(a.eq.1))', '9: unexpected "(" expecting delimiter (.)'],
    ['(and())', `8: unexpected ")" expecting ${operand}`],
    ['(and)', '7: unexpected ")" expecting delimiter (.)'],
    ['(not.xor(a.eq.1))', '8: unexpected "x" expecting logic operator (and, or)'],
    ['(not.or.eq.1)', '8: unexpected "o" expecting logic operator (and, or)'],
    ['(not.and)', '8: unexpected "a" expecting logic operator (and, or)'],
    ['(not and(a.eq.1))', '11: unexpected "(" expecting delimiter (.)'],
    ['("not".and(a.eq.1))', '10: unexpected "a" expecting operator (eq, gt, ...)'],
    [
      '(a->.eq.1)',
      '7: unexpected "." expecting "-", digit or any non reserved character different from: .,>()',
    ],
    ['(a::int.eq.1)', '5: unexpected ":" expecting delimiter (.)'],
    ['(*.eq.1)', `4: unexpected "*" expecting ${operand}`],
    ['(a.eq.1)b', "11: unexpected 'b' expecting end of input"],
    ['(a.eq.1),(b.eq.1)', "11: unexpected ',' expecting end of input"],
    ['(a.eq.1))b', "12: unexpected 'b' expecting end of input"],
  ])('are rejected: %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('are reported with a position that includes the parameter', () => {
    expect(refusalOf(() => parseLogic('and', true, '', new Usage()))).toBe(
      '8: unexpected end of input expecting "("',
    );
    expect(() => parse('()')).toThrow('"failed to parse logic tree (())" (line 1, column 4)');
  });

  it('are rejected with more levels than allowed', () => {
    const nested = (depth: number) => `${'(and'.repeat(depth - 1)}(a.eq.1${')'.repeat(depth)}`;
    expect(parse(nested(MAX_LOGIC_DEPTH))).toMatchObject({ kind: 'or' });
    expect(refusalOf(() => parse(nested(MAX_LOGIC_DEPTH + 1)))).toContain('at most 32 levels of and, or');
  });

  it('are rejected with more conditions than allowed, groups included', () => {
    const list = (count: number) => `(${Array(count).fill('a.eq.1').join()})`;
    expect(parse(list(MAX_CONDITIONS - 1))).toMatchObject({ kind: 'or' });
    expect(refusalOf(() => parse(list(MAX_CONDITIONS)))).toContain('at most 1000 conditions');
  });
});
