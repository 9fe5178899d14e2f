/** The values of a query and their order. */
import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { type QueryValue, valuesOf, walkValues } from './values.ts';

describe('values of a query', () => {
  it.each<[raw: string, values: QueryValue[]]>([
    ['', []],
    ['select=*,a,b::int,count(),c.sum()', []],
    ['select=a->b->>0,r(c->d,...s(e->-1)),f->g', ['b', 0, 'd', -1, 'g']],
    ['a=eq.1&b=not.neq.2&c=isdistinct.3', ['1', '2', '3']],
    ['a=in.(1,2)&b=in.()', [['1', '2'], []]],
    ['a=is.null', []],
    ['a=fts.x&b=wfts(simple).y', ['x', 'simple', 'y']],
    ['a->b=eq(any).{1}', ['b', '{1}']],
    ['or=(a->0.eq.1,not.and(b.in.(2),c.is.true),d.fts(e).f)', [0, '1', ['2'], 'e', 'f']],
    ['order=a->b,r(c->1).desc', ['b', 1]],
    ['limit=1&a.limit=2&offset=3', [1, 2, 3]],
    ['x=1&y=2&x=3', ['1', '2', '3']],
    ['z=7&limit=6&order=a->e&or=(b.eq.d)&c=eq.c&select=a->b', ['b', 'c', 'd', 'e', 6, '7']],
  ])('in %s are %j', (raw, values) => {
    expect(valuesOf(parseQuery(raw))).toEqual(values);
  });

  it('are passed with the part of the query that holds them', () => {
    const query = parseQuery('a->b=fts(c).d&limit=5&e=6');
    const values: [QueryValue, object][] = [];
    walkValues(query, (value, holder) => values.push([value, holder]));
    const filter = query.filters[0]?.value;
    expect(values).toEqual([
      ['b', filter?.field.path[0]],
      ['c', filter?.operation],
      ['d', filter?.operation],
      [5, query.limits[0]],
      ['6', query.parameters[0]],
    ]);
    expect(values[1]?.[1]).toBe(filter?.operation);
  });
});
