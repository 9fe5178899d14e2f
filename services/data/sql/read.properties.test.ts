import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Query } from '../query/ast.ts';
import { shapeOf } from '../query/shape.ts';
import { hasDuplicates, studioQueries, withValues } from './testing/queries.ts';
import { Reads } from './testing/reads.ts';

let reads: Reads;
beforeAll(async () => {
  reads = await Reads.open();
});
afterAll(() => reads.close());

const RUNS = 300;
/** Errors that may reject a query on existing relations before it runs. */
const PLANNING = ['PGRST108', 'PGRST118', 'PGRST127', 'PGRST201'];
/**
 * SQLSTATEs of errors in the request: unknown columns and types, invalid data, or a set-returning function in place of a value.
 * Other errors of class 42 (syntax, ambiguous names, relations, parameters) would be bugs in the generated SQL.
 */
const REFUSED = /^(42(?!601|702|712|P)|22|0A000)/;
/** PostgreSQL calls these syntax errors, too; it is the values that it cannot read. */
const UNREADABLE_SEARCH = /^(syntax error in ts(vector|query): |no operand in tsquery: )/;

interface Refusal {
  code: string;
  message: string;
}

function isRefused({ code, message }: Refusal, { select }: Query): boolean {
  if (code === '42712') return hasDuplicates(select);
  return REFUSED.test(code) || (code === '42601' && UNREADABLE_SEARCH.test(message));
}

/** The text and its number of parameters, or why there is none. */
function planned(query: Query): string {
  try {
    const { text, values } = reads.plan(query, { count: 'exact', rootLimit: 3, maxRows: 5 });
    return `${values.length}: ${text}`;
  } catch (error) {
    if (error instanceof CatalogueError && PLANNING.includes(error.code)) return error.code;
    throw error;
  }
}

it('generates equal SQL without values for queries of equal shape', () => {
  fc.assert(
    fc.property(studioQueries(), (query) => {
      const one = withValues(
        query,
        () => 'ⓥ1"\'\\',
        () => 90909,
      );
      const other = withValues(
        query,
        () => 'ⓥ2$1',
        () => 80808,
      );
      expect(shapeOf(one)).toBe(shapeOf(other));
      const text = planned(one);
      expect(planned(other)).toBe(text);
      expect(text).not.toMatch(/ⓥ|90909|80808/);
    }),
    { numRuns: RUNS },
  );
});

it('generates SQL that PostgreSQL accepts or rejects for an error in the request', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      studioQueries(),
      fc.constantFrom('1', '1', '1', '1', '{1}', 'simple', "'; select 1; --"),
      async (shape, value) => {
        const query = withValues(
          shape,
          () => value,
          () => 1,
        );
        if (PLANNING.includes(planned(query))) return;
        const { text, values } = reads.plan(query, { count: 'exact', rootLimit: 3, maxRows: 5 });
        try {
          const rows = await reads.client.query({ text, values });
          expect(rows).toHaveLength(1);
          accepted += 1;
        } catch (error) {
          expect(error).toSatisfy((each: Refusal) => isRefused(each, query));
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
});
