/** Whole query strings: which parameter is what, and which of several counts. */
import { describe, expect, it } from 'vitest';
import type { Query } from './ast.ts';
import { MAX_PARAMETERS } from './limits.ts';
import { parseQuery, refuseArguments } from './parse-query.ts';
import { refusalOf } from './testing/refusal.ts';

const EMPTY: Query = {
  select: [{ kind: 'all' }],
  hasSelect: false,
  columns: undefined,
  onConflict: undefined,
  filters: [],
  logic: [],
  order: [],
  limits: [],
  offsets: [],
  parameters: [],
};

const item = (name: string) => ({
  kind: 'field',
  field: { name, path: [] },
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
});
const filter = (name: string, value: string) => ({
  field: { name, path: [] },
  isNegated: false,
  operation: { kind: 'quantifiable', operator: 'eq', quantifier: undefined, value },
});
const at = <T>(path: string[], value: T) => ({ path, value });
const by = (name: string) => ({
  field: { name, path: [] },
  relation: undefined,
  direction: undefined,
  nulls: undefined,
});
const or = (name: string, value: string, isNegated = false) => ({
  kind: 'or',
  isNegated,
  operands: [{ kind: 'filter', filter: filter(name, value) }],
});

describe('parseQuery', () => {
  it.each<[raw: string, parts: { [Part in keyof Query]?: unknown }]>([
    ['', {}],
    ['a', {}],
    ['select', {}],
    ['&&', {}],
    ['select=a', { hasSelect: true, select: [item('a')] }],
    ['select=', { hasSelect: true, select: [] }],
    ['select=a&select=b', { hasSelect: true, select: [item('a')] }],
    ['select=a&select=%25', { hasSelect: true, select: [item('a')] }],
    ['select=&select=b', { hasSelect: true, select: [] }],
    ['select&select=b', { hasSelect: true, select: [item('b')] }],
    ['select=a,b+c,%22d%22', { hasSelect: true, select: [item('a'), item('b c'), item('d')] }],
    ['columns=a,b', { columns: ['a', 'b'] }],
    ['columns=a&columns=b', { columns: ['a'] }],
    ['on_conflict=a,b', { onConflict: ['a', 'b'] }],
    ['on_conflict=a&on_conflict=b', { onConflict: ['a'] }],
    ['a=eq.1', { filters: [at([], filter('a', '1'))] }],
    ['a=eq.1&a=eq.2', { filters: [at([], filter('a', '1')), at([], filter('a', '2'))] }],
    ['a.b.c=eq.1', { filters: [at(['a', 'b'], filter('c', '1'))] }],
    ['a=eq.x+y%2Bz%26', { filters: [at([], filter('a', 'x y+z&'))] }],
    ['a=eq.b=c', { filters: [at([], filter('a', 'b=c'))] }],
    ['a.select=eq.1', { filters: [at(['a'], filter('select', '1'))] }],
    ['%22select%22=eq.1', { filters: [at([], filter('select', '1'))] }],
    ['%22order%22=eq.1', { filters: [at([], filter('order', '1'))] }],
    ['a.%22limit%22=eq.1', { filters: [at(['a'], filter('limit', '1'))] }],
    ['%22a.or%22=eq.1', { filters: [at([], filter('a.or', '1'))] }],
    ['Select=eq.1&ORDER=eq.2', { filters: [at([], filter('Select', '1')), at([], filter('ORDER', '2'))] }],
    [
      'reorder=eq.1&limits=eq.2',
      { filters: [at([], filter('reorder', '1')), at([], filter('limits', '2'))] },
    ],
    ['__proto__=eq.1', { filters: [at([], filter('__proto__', '1'))] }],
    ['or=(a.eq.1)', { logic: [at([], or('a', '1'))] }],
    ['not.or=(a.eq.1)', { logic: [at([], or('a', '1', true))] }],
    ['a.b.or=(a.eq.1)', { logic: [at(['a', 'b'], or('a', '1'))] }],
    ['a.not.or=(a.eq.1)', { logic: [at(['a'], or('a', '1', true))] }],
    ['or=(a.eq.1)&or=(a.eq.2)', { logic: [at([], or('a', '1')), at([], or('a', '2'))] }],
    ['and=(a.eq.1)', { logic: [at([], { ...or('a', '1'), kind: 'and' })] }],
    ['order=a', { order: [at([], [by('a')])] }],
    ['a.order=b,c', { order: [at(['a'], [by('b'), by('c')])] }],
    ['order=a&order=b', { order: [at([], [by('a')])] }],
    ['order=a&r.order=b&order=c&r.order=d', { order: [at([], [by('a')]), at(['r'], [by('b')])] }],
    ['%22a.b%22.order=c&a.b.order=d', { order: [at(['a.b'], [by('c')]), at(['a', 'b'], [by('d')])] }],
    ['limit=10', { limits: [at([], 10)] }],
    ['limit=0', { limits: [at([], 0)] }],
    ['limit=-1', { limits: [at([], -1)] }],
    ['limit=-0', { limits: [at([], 0)] }],
    ['limit=007', { limits: [at([], 7)] }],
    ['limit=+5+', { limits: [at([], 5)] }],
    ['limit=99999999999999999999', { limits: [at([], Number.MAX_SAFE_INTEGER)] }],
    ['limit=-99999999999999999999', { limits: [at([], Number.MIN_SAFE_INTEGER)] }],
    [`limit=${'9'.repeat(400)}`, { limits: [at([], Number.MAX_SAFE_INTEGER)] }],
    ['a.b.limit=1', { limits: [at(['a', 'b'], 1)] }],
    ['limit=1&limit=2', { limits: [at([], 2)] }],
    ['limit=1&a.limit=3&limit=2', { limits: [at([], 2), at(['a'], 3)] }],
    ['limit=', {}],
    ['limit=x', {}],
    ['limit=1.5', {}],
    ['limit=1e3', {}],
    ['limit=0x10', {}],
    ['limit=eq.5', {}],
    ['limit=1&limit=x', { limits: [at([], 1)] }],
    ['offset=5', { offsets: [at([], 5)] }],
    ['offset=-5', { offsets: [at([], -5)] }],
    ['a.offset=5&offset=6', { offsets: [at(['a'], 5), at([], 6)] }],
    ['offset=1&offset=2', { offsets: [at([], 2)] }],
    ['offset=x', {}],
    ['a=1', { parameters: [['a', '1']] }],
    ['a=', { parameters: [['a', '']] }],
    [
      'a=1&b=x+y&a=2',
      {
        parameters: [
          ['a', '1'],
          ['b', 'x y'],
          ['a', '2'],
        ],
      },
    ],
    ['a=%7B1,2%7D', { parameters: [['a', '{1,2}']] }],
    ['%22a.b%22=1', { parameters: [['a.b', '1']] }],
    [
      'a=eqx.1&b=eq',
      {
        parameters: [
          ['a', 'eqx.1'],
          ['b', 'eq'],
        ],
      },
    ],
    ['a=1&b=eq.1', { parameters: [['a', '1']], filters: [at([], filter('b', '1'))] }],
  ])('parses %j', (raw, parts) => {
    expect(parseQuery(raw)).toEqual({ ...EMPTY, ...parts });
  });

  it('combines all parameters', () => {
    const raw = 'limit=1&select=a&x.or=(a.eq.1)&offset=2&a=eq.1&order=a&columns=a&on_conflict=b&p=1';
    expect(parseQuery(raw)).toEqual({
      select: [item('a')],
      hasSelect: true,
      columns: ['a'],
      onConflict: ['b'],
      filters: [at([], filter('a', '1'))],
      logic: [at(['x'], or('a', '1'))],
      order: [at([], [by('a')])],
      limits: [at([], 1)],
      offsets: [at([], 2)],
      parameters: [['p', '1']],
    });
  });

  it.each<[raw: string, message: string]>([
    ['select=a,', '"failed to parse select parameter (a,)" (line 1, column 3)'],
    ['columns=', '"failed to parse columns parameter ()" (line 1, column 1)'],
    ['on_conflict=', '"failed to parse on_conflict parameter ()" (line 1, column 1)'],
    ['order=', '"failed to parse order ()" (line 1, column 1)'],
    ['order=a.x', '"failed to parse order (a.x)" (line 1, column 3)'],
    ['a->b.order=c', '"failed to parse tree path (a->b.order)" (line 1, column 2)'],
    ['a->b.limit=1', '"failed to parse tree path (a->b.limit)" (line 1, column 2)'],
    ['or=', '"failed to parse logic tree ()" (line 1, column 3)'],
    ['and=()', '"failed to parse logic tree (())" (line 1, column 5)'],
    ['not.and=()', '"failed to parse logic tree (())" (line 1, column 9)'],
    ['a!.or=(a.eq.1)', '"failed to parse logic path (a!.or)" (line 1, column 2)'],
    ['=eq.1', '"failed to parse tree path ()" (line 1, column 1)'],
    ['a!=eq.1', '"failed to parse tree path (a!)" (line 1, column 2)'],
    ['a=in.1', '"failed to parse filter (in.1)" (line 1, column 4)'],
    ['a=is.x', '"failed to parse filter (is.x)" (line 1, column 4)'],
    ['a=not.x', '"failed to parse filter (not.x)" (line 1, column 5)'],
    ['a.b=1', '"failed to parse filter (1)" (line 1, column 1)'],
    ['a->b=1', '"failed to parse filter (1)" (line 1, column 1)'],
    ['a.b=%', '"failed to parse filter (%)" (line 1, column 1)'],
    ['a=%ff', '"failed to parse query string (a=%ff)" (line 1, column 3)'],
  ])('rejects %j', (raw, message) => {
    expect(() => parseQuery(raw)).toThrow(message);
  });

  it.each(['limit=1', 'offset=1', 'a=1'])('accepts %s up to the maximum number of parameters', (pair) => {
    const raw = (count: number) => Array(count).fill(pair).join('&');
    expect(() => parseQuery(raw(MAX_PARAMETERS))).not.toThrow();
    expect(refusalOf(() => parseQuery(raw(MAX_PARAMETERS + 1)))).toBe('1: at most 1000 parameters');
  });

  it.each<[what: string, raw: string]>([
    ['items', `select=${Array(1999).fill('a').join()},r(a)`],
    ['conditions', `${'a=eq.1&'.repeat(500)}or=(${Array(500).fill('a.eq.1').join()})`],
    ['values', `a=in.(${','.repeat(15_000)})&or=(a.in.(${','.repeat(5000)}))`],
    ['terms', `order=${Array(500).fill('a').join()}&a.order=a`],
  ])('limits the total number of %s', (what, raw) => {
    expect(refusalOf(() => parseQuery(raw))).toMatch(new RegExp(`at most \\d+ ${what}$`));
  });
});

describe('refuseArguments', () => {
  it('accepts a query without arguments', () => {
    expect(() => refuseArguments(parseQuery('select=a&b=eq.1&limit=x'))).not.toThrow();
  });

  it.each<[raw: string, refusal: string, text: string]>([
    ['id=0', '1: unexpected "0" expecting "not" or operator (eq, gt, ...)', '0'],
    ['a=eq.1&id=', '1: unexpected end of input expecting "not" or operator (eq, gt, ...)', ''],
    ['a=noop.0&b=1', '1: unexpected "n" expecting "not" or operator (eq, gt, ...)', 'noop.0'],
  ])('rejects %j', (raw, refusal, text) => {
    const refuse = () => refuseArguments(parseQuery(raw));
    expect(refusalOf(refuse)).toBe(refusal);
    expect(refuse).toThrow(`"failed to parse filter (${text})" (line 1, column 1)`);
  });
});
