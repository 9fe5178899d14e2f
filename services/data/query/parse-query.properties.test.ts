/** Properties of every query string: parsing terminates in linear time, fails only with syntax errors, and inverts printing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Query } from './ast.ts';
import { Usage } from './limits.ts';
import { parseQuery } from './parse-query.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { queries, WIDE } from './testing/arbitraries.ts';
import { printQuery } from './testing/print-query.ts';

/** How often one character may be looked at. */
const MAX_LOOKS = 6;

/** Parses, lets nothing but the parser's own error happen, and measures the work. */
function parseAny(raw: string): Query | QuerySyntaxError {
  const usage = new Usage();
  try {
    return parseQuery(raw, usage);
  } catch (error) {
    expect(error).toBeInstanceOf(QuerySyntaxError);
    expect((error as QuerySyntaxError).position).toBeGreaterThan(0);
    return error as QuerySyntaxError;
  } finally {
    expect(usage.characters).toBeLessThanOrEqual(MAX_LOOKS * raw.length);
  }
}

const PARTS = [
  ...[
    'select',
    'columns',
    'on_conflict',
    'order',
    'limit',
    'offset',
    'and',
    'or',
    'not',
    '&',
    '=',
    '&a=',
    '&b.',
  ],
  ...[
    'a',
    'b',
    '"',
    '\\',
    '(',
    ')',
    ',',
    '.',
    ':',
    '::',
    '!',
    '-',
    '->',
    '->>',
    '*',
    '...',
    '{',
    '}',
    '1',
    '+',
  ],
  ...['%', '%20', '%00', '%ff', '%c3%a9', 'é', '\ud800', 'eq.', 'in.(', 'is.null', 'fts(', 'not.', 'count()'],
  ...['inner', 'left', '.sum()', '.desc', '.nullsfirst', '"a"', '\t', ' '],
];

it('returns a query or throws a syntax error for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (raw) => void parseAny(raw)),
    { numRuns: 500 },
  );
});

it('returns a query or throws a syntax error for any sequence of tokens', () => {
  const run = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(''));
  const start = fc.constantFrom('', 'select=', 'or=(', 'order=', 'a=in.(', 'columns=', 'a.');
  fc.assert(
    fc.property(start, run, (first, rest) => void parseAny(first + rest)),
    { numRuns: 3000 },
  );
});

it('returns a query or throws a syntax error for a mutated query string', () => {
  const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), put: fc.constantFrom('', ...PARTS) });
  fc.assert(
    fc.property(queries(WIDE), change, (query, { at, length, put }) => {
      const raw = printQuery(query);
      const start = at % (raw.length + 1);
      parseAny(raw.slice(0, start) + put + raw.slice(start + length));
    }),
    { numRuns: 1000 },
  );
});

it('parses every printed query', () => {
  fc.assert(
    fc.property(queries(WIDE), (query) => {
      expect(parseQuery(printQuery(query))).toEqual(query);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['unterminated quoted values', (n: number) => `or=(${'a.eq."x,'.repeat(n)}`],
  ['list elements that begin with a quote', (n: number) => `a=in.(${'"\\",'.repeat(n)}`],
  ['unterminated arrays', (n: number) => `or=(${'a.eq.{x,'.repeat(n)}`],
  ['quotes in a list', (n: number) => `a=in.(${'"'.repeat(n)}`],
  ['negations', (n: number) => `or=(${'not.'.repeat(n)}`],
  ['spaces', (n: number) => `or=(${' '.repeat(n)}`],
  ['opening parentheses', (n: number) => `or=${'('.repeat(n)}`],
  ['embeddings', (n: number) => `select=${'a('.repeat(n)}`],
  ['dashes', (n: number) => `select=${'a-'.repeat(n)}`],
  ['arrows', (n: number) => `select=a${'->a'.repeat(n)}`],
  ['dots', (n: number) => `${'a.'.repeat(n)}=eq.1`],
  ['parameters', (n: number) => 'a=eq.1&'.repeat(n)],
  ['limits', (n: number) => 'a.limit=1&'.repeat(n)],
  ['percent-encoded bytes', (n: number) => `a=eq.${'%41'.repeat(n)}`],
  ['percent signs', (n: number) => `a=eq.${'%'.repeat(n)}`],
])('takes linear time for many %s', (_, build) => {
  for (const n of [10, 100, 1000, 7000]) parseAny(build(n));
});
