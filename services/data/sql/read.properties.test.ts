import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Query } from '../query/ast.ts';
import { parseQuery } from '../query/parse-query.ts';
import { shapeOf } from '../query/shape.ts';
import { sql } from './sql.ts';
import { hasDuplicates, studioQueries, withValues } from './testing/queries.ts';
import { Reads, type TestRead } from './testing/reads.ts';
import { evaluateTree, loadTables, type TreeRange } from './testing/tree-reference.ts';
import { filmTrees, printTree } from './testing/trees.ts';

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

/** The rows of a function call instead of those of a relation. */
const CALL = { name: 'called', rows: sql`select * from studio.films` };

/** The expected number of rows without limits, as a read counts it. */
function totalOf(
  count: 'exact' | 'estimated',
  range: TreeRange,
  shown: number,
  matching: number,
  isCall: boolean,
) {
  const { limit, offset, maxRows } = range;
  if (limit === undefined && offset === undefined && maxRows === undefined) return shown;
  const isCapped = count === 'estimated' && maxRows !== undefined && !isCall;
  return isCapped ? Math.min(matching, maxRows + 1) : matching;
}

it('generates SQL that returns and counts the rows of the reference', async () => {
  const tables = await loadTables(reads.client);
  let semiJoins = 0;
  let derivedTotals = 0;
  await fc.assert(
    fc.asyncProperty(
      filmTrees(),
      fc.record({
        limit: fc.constantFrom(undefined, undefined, 0, 1, 2, 3, 9),
        offset: fc.constantFrom(undefined, undefined, undefined, 1, 2, 5),
        maxRows: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2, 9),
      }),
      fc.constantFrom('exact' as const, 'exact' as const, 'estimated' as const),
      fc.boolean(),
      async (tree, range, count, isCall) => {
        const { limit, offset, maxRows } = range;
        const read: TestRead = {
          count,
          maxRows,
          ...(limit !== undefined && { rootLimit: limit }),
          ...(offset !== undefined && { rootOffset: offset }),
          ...(isCall && { source: CALL }),
        };
        const query = printTree(tree);
        const { text } = reads.plan(parseQuery(query), read);
        if (/ where .*exists \(/.test(text)) semiJoins += 1;
        if (text.includes('case when count(')) derivedTotals += 1;
        const row = await reads.read(query, read);
        const { body, matching } = evaluateTree(tables, tree, range);
        expect({
          query,
          body: row.body,
          page: Number(row.page_count),
          total: Number(row.total_count),
        }).toEqual({
          query,
          body,
          page: body.length,
          total: totalOf(count, range, body.length, matching, isCall),
        });
      },
    ),
    { numRuns: 2 * RUNS },
  );
  expect(semiJoins).toBeGreaterThan(RUNS / 10);
  expect(derivedTotals).toBeGreaterThan(RUNS / 10);
});
