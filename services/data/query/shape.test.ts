/** Shapes are equal if and only if queries differ only in values. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Query, SelectItem } from './ast.ts';
import { parseQuery } from './parse-query.ts';
import { shapeOf } from './shape.ts';
import { NARROW, queries, WIDE } from './testing/arbitraries.ts';
import { readShape } from './testing/read-shape.ts';
import { type QueryValue, valuesOf, walkValues } from './values.ts';

const PARTS = [
  ...(['hasSelect', 'select', 'columns', 'onConflict', 'filters'] as const),
  ...(['logic', 'order', 'limits', 'offsets', 'parameters'] as const),
];

const typeOf = (value: QueryValue) => (Array.isArray(value) ? 'list' : typeof value);
const shapeOfText = (raw: string) => shapeOf(parseQuery(raw));

/** The query without its values, as plain JSON. The key that names a selected field is no value. */
function blank(query: Query): unknown {
  return JSON.parse(
    JSON.stringify({ ...query, parameters: query.parameters.map(([name]) => name) }),
    (_, part) => {
      switch (part?.kind) {
        case 'key':
        case 'index':
          return { kind: part.kind };
        case 'quantifiable':
        case 'simple':
        case 'in': {
          const { value, values, ...rest } = part;
          return rest;
        }
        case 'search':
          return { kind: part.kind, operator: part.operator, hasConfig: part.config !== undefined };
        default:
          return typeof part?.value === 'number' ? { ...part, value: 0 } : part;
      }
    },
  );
}

/** What {@link blank} takes away too much: puts the names of selected fields back, item by item. */
function named(items: readonly SelectItem[], blanked: { output?: string; select?: object[] }[]): void {
  items.forEach((item, index) => {
    const into = blanked[index];
    if (into === undefined) return;
    if (item.kind === 'embed') named(item.select, into.select as typeof blanked);
    if (item.kind !== 'field' || item.alias !== undefined) return;
    const operand = item.field.path.findLast((step) => step.operand.kind === 'key')?.operand;
    if (operand?.kind === 'key') into.output = operand.key;
  });
}

function blankOf(query: Query): unknown {
  const blanked = blank(query) as { select: { output?: string }[] };
  named(query.select, blanked.select);
  return blanked;
}

/** The same query with other values. */
function revalued(query: Query): Query {
  const copy = structuredClone(query);
  const naming = new Set<object>();
  const keep = (items: readonly SelectItem[]): void => {
    for (const item of items) {
      if (item.kind === 'embed') keep(item.select);
      if (item.kind === 'field' && item.alias === undefined)
        for (const step of item.field.path) naming.add(step);
    }
  };
  keep(copy.select);
  // biome-ignore lint/suspicious/noExplicitAny: whatever holds a value
  walkValues(copy, (_, holder: any) => {
    if (naming.has(holder)) return;
    if (Array.isArray(holder)) holder[1] += '1';
    else if (holder.operand?.kind === 'key') holder.operand.key += '1';
    else if (holder.operand?.kind === 'index') holder.operand.index += 1;
    else if (holder.kind === 'in') holder.values = [...holder.values, '1'];
    else if (typeof holder.value === 'number') holder.value += 1;
    else {
      holder.value += '1';
      if (holder.config !== undefined) holder.config += '1';
    }
  });
  return copy;
}

describe('shapes', () => {
  it.each([
    ['few', NARROW],
    ['all', WIDE],
  ])('contain the whole query except for its values, with %s names', (_, alphabet) => {
    fc.assert(
      fc.property(queries(alphabet), (query) => {
        expect(readShape(shapeOf(query))).toEqual(blankOf(query));
      }),
      { numRuns: 300 },
    );
  });

  it('are equal for other values', () => {
    fc.assert(
      fc.property(queries(WIDE), (query) => {
        const other = revalued(query);
        expect(shapeOf(other)).toBe(shapeOf(query));
        expect(valuesOf(other).map(typeOf)).toEqual(valuesOf(query).map(typeOf));
      }),
      { numRuns: 300 },
    );
  });

  it('are equal if and only if the queries differ only in values', () => {
    fc.assert(
      fc.property(queries(NARROW), queries(NARROW), fc.constantFrom(...PARTS), (one, from, part) => {
        const other = { ...one, [part]: from[part] };
        expect(shapeOf(one) === shapeOf(other)).toBe(isDeepStrictEqual(blankOf(one), blankOf(other)));
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    ['the value of a filter', 'id=eq.1', 'id=eq.2'],
    ['the values of a list', 'id=in.(1,2)', 'id=in.()'],
    ['configuration and text of a search', 'a=fts(simple).x', 'a=fts(english).y'],
    ['limits and offsets', 'limit=1&offset=2&a.limit=3', 'limit=9&offset=8&a.limit=7'],
    ['the value of an argument', 'a=1', 'a=2'],
    ['JSON operands of filters', 'a->b->>0=eq.1', 'a->c->>7=eq.1'],
    ['JSON operands of order', 'order=a->b', 'order=a->c'],
    ['JSON operands in logic', 'or=(a->b.eq.1)', 'or=(a->c.eq.2)'],
    ['a JSON key with an alias', 'select=x:a->b', 'select=x:a->c'],
    ['a JSON key within a path', 'select=a->b->c', 'select=a->x->c'],
    ['a JSON index', 'select=a->0', 'select=a->1'],
    ['the spelling', 'select=id&a=is.NULL', 'a=is.null&select=%22id%22'],
  ])('do not depend on %s', (_, one, other) => {
    expect(shapeOfText(one)).toBe(shapeOfText(other));
  });

  it.each([
    ['operators', 'id=eq.1', 'id=neq.1'],
    ['quantifiers', 'id=eq(any).1', 'id=eq(all).1'],
    ['negation', 'id=eq.1', 'id=not.eq.1'],
    ['the value of is', 'id=is.null', 'id=is.true'],
    ['a search configuration', 'a=fts.x', 'a=fts(simple).x'],
    ['names', 'a=eq.1', 'b=eq.1'],
    ['paths', 'a.b=eq.1', 'b=eq.1'],
    ['the boundary of a path', '%22a.b%22.c=eq.1', 'a.%22b.c%22=eq.1'],
    ['an explicit select=*', '', 'select=*'],
    ['an empty select', '', 'select='],
    ['a JSON key at the end of a path', 'select=a->b', 'select=a->c'],
    ['kinds of JSON operands', 'select=x:a->b', 'select=x:a->0'],
    ['arrows', 'a->b=eq.1', 'a->>b=eq.1'],
    ['casts', 'select=a::int', 'select=a::text'],
    ['the position of a cast', 'select=a::int.sum()', 'select=a.sum()::int'],
    ['aggregates', 'select=a.sum()', 'select=a.avg()'],
    ['the parentheses of count', 'select=count()', 'select=count'],
    ['spreads', 'select=a(b)', 'select=...a(b)'],
    ['joins', 'select=a!inner(b)', 'select=a!left(b)'],
    ['hints', 'select=a!b(c)', 'select=a!c(c)'],
    ['a hint or an alias', 'select=a!b(c)', 'select=b:a(c)'],
    ['the level of a column', 'select=a(b,c)', 'select=a(b),c'],
    ['columns or on_conflict', 'columns=a', 'on_conflict=a'],
    ['directions', 'order=a', 'order=a.asc'],
    ['the position of nulls', 'order=a.nullsfirst', 'order=a.nullslast'],
    ['an order by an embedding', 'order=a(b)', 'order=b'],
    ['limit or offset', 'limit=1', 'offset=1'],
    ['and or or', 'and=(a.eq.1)', 'or=(a.eq.1)'],
    ['negated logical operators', 'or=(a.eq.1)', 'not.or=(a.eq.1)'],
    ['nested logical operators', 'or=(a.eq.1,and(b.eq.1))', 'or=(and(a.eq.1,b.eq.1))'],
    ['names of arguments', 'a=1', 'b=1'],
    ['an argument or a filter', 'a=1', 'a=eq.1'],
  ])('depend on %s', (_, one, other) => {
    expect(shapeOfText(one)).not.toBe(shapeOfText(other));
  });
});
