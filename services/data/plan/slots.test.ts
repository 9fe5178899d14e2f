import { describe, expect, it } from 'vitest';
import { parseQuery } from '../query/parse-query.ts';
import { arrayLiteral, bind, parametersOf, slotsOf } from './slots.ts';

describe('parametersOf', () => {
  it.each<[query: string, parameters: string[]]>([
    ['a=eq.*', ['*']],
    ['a=like.a*b*', ['a%b%']],
    ['a=ilike(any).{a*}', ['{a%}']],
    ['a=match.a*', ['a*']],
    ['a=in.(1,"x,y",null)', ['{"1","x,y","null"}']],
    ['a=in.()', ['{}']],
    ['a=is.null', []],
    ['a=fts(english).b', ['english', 'b']],
    ['a=fts(1).2', ['"1"', '2']],
    ['select=a->b->-1&a->>c=eq.d', ['b', '-1', 'c', 'd']],
    ['select=b(id)&b.limit=3&b.offset=-2&offset=-1&limit=-4', ['3', '0', '0', '0']],
  ])('returns for %s the parameters %j', (query, parameters) => {
    expect(parametersOf(parseQuery(query)).toSorted()).toEqual(parameters.toSorted());
  });
});

describe('slotsOf', () => {
  it('returns the slot of each value', () => {
    const query = parseQuery('select=a->x&b=fts(english).c&d=eq.e');
    const slots = slotsOf(query);
    expect(query.filters.map(({ value }) => slots.of(value.operation))).toEqual([1, 3]);
    expect(slots.count).toBe(4);
  });

  it('throws for an object without a value', () => {
    expect(() => slotsOf(parseQuery('')).of({})).toThrow('has no value');
  });
});

describe('bind', () => {
  it('returns values in the order of the slots', () => {
    expect(bind([2, 0], ['a', 'b', 'c'])).toEqual(['c', 'a']);
  });

  it('throws for an unknown slot', () => {
    expect(() => bind([1], ['a'])).toThrow('slot 1');
  });
});

describe('arrayLiteral', () => {
  it.each<[values: string[], literal: string]>([
    [[], '{}'],
    [['a', ''], '{"a",""}'],
    [['"', '\\', '},{', 'NULL'], '{"\\"","\\\\","},{","NULL"}'],
  ])('formats %j as %s', (values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });
});
