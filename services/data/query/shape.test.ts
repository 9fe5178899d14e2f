/** Shapes: alike for queries that differ in values only, and for no others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Query } from './ast.ts';
import { parseQuery } from './parse-query.ts';
import { shapeOf } from './shape.ts';
import { NARROW, queries, WIDE } from './testing/arbitraries.ts';
import { valuesOf } from './values.ts';

const shapeOfText = (raw: string) => shapeOf(parseQuery(raw));

/** Puts one text in place of every value, in a copy. Leaves the key that names a selected field where it is. */
function blank(query: Query): unknown {
  return JSON.parse(JSON.stringify(query), (key, part) => {
    if (part === null || typeof part !== 'object') return part;
    // Every holder of a value is known by what it has.
    if ('kind' in part && part.kind === 'in') return { kind: 'in' };
    if ('kind' in part && part.kind === 'is') return part;
    if ('kind' in part && part.kind === 'search') {
      return { ...part, value: 0, config: part.config === undefined ? 'none' : 'some' };
    }
    if ('kind' in part && (part.kind === 'key' || part.kind === 'index'))
      return { kind: part.kind, was: part.key };
    if ('kind' in part && part.kind === 'field') return part.alias === undefined ? named(part) : part;
    if ('path' in part && typeof part.value === 'number') return { ...part, value: 0 };
    if ('kind' in part && typeof part.value === 'string') return { ...part, value: 0 };
    if (key === 'parameters') return part.map(([name]: [string, string]) => name);
    return part;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what was read from JSON
function named(item: any): unknown {
  const keys = item.field.path.filter((step: { operand: { kind: string } }) => step.operand.kind === 'key');
  return { ...item, output: keys.at(-1)?.operand.was };
}

/** The JSON text, without the keys that only served {@link named}. */
function textOf(blanked: unknown): string {
  return JSON.stringify(blanked, (key, part) => (key === 'was' ? undefined : part));
}

describe('shapes', () => {
  it('are alike if, and only if, the queries are alike but for their values', () => {
    const pair = fc.tuple(queries(NARROW), queries(NARROW));
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(shapeOf(one) === shapeOf(other)).toBe(textOf(blank(one)) === textOf(blank(other)));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'hasSelect',
    'select',
    'columns',
    'onConflict',
    'filters',
    'logic',
    'order',
    'limits',
    'offsets',
    'parameters',
  ] as const)('are alike or not by %s alone', (part) => {
    const seen = { alike: 0, different: 0 };
    fc.assert(
      fc.property(queries(NARROW), queries(NARROW), (one, from) => {
        const other = { ...one, [part]: from[part] };
        const isAlike = textOf(blank(one)) === textOf(blank(other));
        seen[isAlike ? 'alike' : 'different'] += 1;
        expect(shapeOf(one) === shapeOf(other)).toBe(isAlike);
      }),
      { numRuns: 400 },
    );
    expect(seen.alike).toBeGreaterThan(0);
    expect(seen.different).toBeGreaterThan(0);
  });

  it('come back to one query but for its values', () => {
    // The shape is a function of the blanked query, and the other way round: over many queries the pairs are one to one.
    const blankedOf = new Map<string, string>();
    const shapes = new Map<string, string>();
    fc.assert(
      fc.property(fc.oneof(queries(NARROW), queries(WIDE)), (query) => {
        const shape = shapeOf(query);
        const blanked = textOf(blank(query));
        expect(blankedOf.get(shape) ?? blanked).toBe(blanked);
        expect(shapes.get(blanked) ?? shape).toBe(shape);
        blankedOf.set(shape, blanked);
        shapes.set(blanked, shape);
      }),
      { numRuns: 3000 },
    );
  });

  it('have as many values as each other', () => {
    const counts = new Map<string, string>();
    fc.assert(
      fc.property(queries(NARROW), (query) => {
        const kinds = valuesOf(query).map((value) => (Array.isArray(value) ? 'list' : typeof value));
        const shape = shapeOf(query);
        expect(counts.get(shape) ?? kinds.join()).toBe(kinds.join());
        counts.set(shape, kinds.join());
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['a filter’s value', 'id=eq.1', 'id=eq.2'],
    ['values of a list', 'id=in.(1,2)', 'id=in.()'],
    ['a search', 'a=fts(simple).x', 'a=fts(english).y'],
    ['limits and offsets', 'limit=1&offset=2&a.limit=3', 'limit=9&offset=8&a.limit=7'],
    ['an argument', 'a=1', 'a=2'],
    ['JSON operands of filters', 'a->b->>0=eq.1', 'a->c->>7=eq.1'],
    ['JSON operands of order', 'order=a->b', 'order=a->c'],
    ['JSON operands in logic', 'or=(a->b.eq.1)', 'or=(a->c.eq.2)'],
    ['a JSON key with an alias', 'select=x:a->b', 'select=x:a->c'],
    ['a JSON key that gives no name', 'select=a->b->c', 'select=a->x->c'],
    ['a JSON index', 'select=a->0', 'select=a->1'],
    ['spelling', 'select=id&a=is.NULL', 'a=is.null&select=%22id%22'],
  ])('do not tell %s', (_, one, other) => {
    expect(shapeOfText(one)).toBe(shapeOfText(other));
  });

  it.each([
    ['operators', 'id=eq.1', 'id=neq.1'],
    ['quantifiers', 'id=eq(any).1', 'id=eq(all).1'],
    ['negation', 'id=eq.1', 'id=not.eq.1'],
    ['what is compares with', 'id=is.null', 'id=is.true'],
    ['whether a search has a configuration', 'a=fts.x', 'a=fts(simple).x'],
    ['names', 'a=eq.1', 'b=eq.1'],
    ['paths', 'a.b=eq.1', 'b=eq.1'],
    ['where a path is cut', '%22a.b%22.c=eq.1', 'a.%22b.c%22=eq.1'],
    ['the default', '', 'select=*'],
    ['nothing', '', 'select='],
    ['the name by JSON', 'select=a->b', 'select=a->c'],
    ['kinds of operands', 'select=x:a->b', 'select=x:a->0'],
    ['arrows', 'a->b=eq.1', 'a->>b=eq.1'],
    ['casts', 'select=a::int', 'select=a::text'],
    ['which cast', 'select=a::int.sum()', 'select=a.sum()::int'],
    ['aggregates', 'select=a.sum()', 'select=a.avg()'],
    ['count', 'select=count()', 'select=count'],
    ['spreads', 'select=a(b)', 'select=...a(b)'],
    ['joins', 'select=a!inner(b)', 'select=a!left(b)'],
    ['hints', 'select=a!b(c)', 'select=a!c(c)'],
    ['a hint that is an alias', 'select=a!b(c)', 'select=b:a(c)'],
    ['levels', 'select=a(b,c)', 'select=a(b),c'],
    ['columns and on_conflict', 'columns=a', 'on_conflict=a'],
    ['directions', 'order=a', 'order=a.asc'],
    ['nulls', 'order=a.nullsfirst', 'order=a.nullslast'],
    ['orders by relations', 'order=a(b)', 'order=b'],
    ['limits and offsets', 'limit=1', 'offset=1'],
    ['and and or', 'and=(a.eq.1)', 'or=(a.eq.1)'],
    ['negated logic', 'or=(a.eq.1)', 'not.or=(a.eq.1)'],
    ['nesting', 'or=(a.eq.1,and(b.eq.1))', 'or=(and(a.eq.1,b.eq.1))'],
    ['names of arguments', 'a=1', 'b=1'],
    ['arguments and filters', 'a=1', 'a=eq.1'],
  ])('tell %s', (_, one, other) => {
    expect(shapeOfText(one)).not.toBe(shapeOfText(other));
  });
});
