import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Query } from '../query/ast.ts';
import { queries, WIDE } from '../query/testing/arbitraries.ts';
import type { WriteKind } from '../request/method.ts';
import { Studio } from '../testing/studio/studio.ts';
import { hasDuplicates, studioQueries, withValues } from './testing/queries.ts';
import { type PlannedTestWrite, planTestWrite, type TestWrite } from './testing/writes.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await Studio.open();
});
afterAll(() => studio.close());

const RUNS = 300;
/** Errors that may reject a write of an existing relation before it runs. */
const PLANNING = [
  'PGRST103',
  'PGRST105',
  'PGRST108',
  'PGRST115',
  'PGRST118',
  'PGRST127',
  'PGRST200',
  'PGRST201',
  'PGRST204',
];
/** SQLSTATEs of errors in the request, as for reads, and for a missing unique index on the named columns. */
const REFUSED = /^(42(?!601|702|712|P)|42P10|22|0A000)/;
const UNREADABLE_SEARCH = /^(syntax error in ts(vector|query): |no operand in tsquery: )/;

const FILMS = { schema: 'studio', name: 'films' };
/** Columns that can be set. */
const SETTABLE = [
  'id',
  'title',
  'year',
  'rating',
  'director_id',
  'tags',
  'facts',
  'notes',
  'shown',
  'is_colour',
];

/** A write of films, apart from its query. */
interface Write extends Omit<TestWrite, 'relation' | 'query' | 'body'> {
  columns: string[];
  isArray: boolean;
}

function writes(columns: readonly string[]): fc.Arbitrary<Write> {
  return fc.record({
    kind: fc.constantFrom<WriteKind>('insert', 'insert', 'update', 'update', 'delete', 'put'),
    columns: fc.subarray([...columns]),
    isArray: fc.boolean(),
    resolution: fc.constantFrom(undefined, 'merge-duplicates' as const, 'ignore-duplicates' as const),
    missing: fc.constantFrom(undefined, 'default' as const, 'null' as const),
    return: fc.constantFrom(
      undefined,
      'minimal' as const,
      'headers-only' as const,
      'representation' as const,
    ),
    count: fc.constantFrom(undefined, 'exact' as const, 'planned' as const, 'estimated' as const),
    format: fc.constantFrom(
      { kind: 'json' as const },
      { kind: 'csv' as const },
      { kind: 'array-stripped' as const },
      { kind: 'object' as const, stripsNulls: true },
      { kind: 'none' as const },
    ),
    allowsAggregates: fc.constant(true),
  });
}

function plan(write: Write, query: Query): PlannedTestWrite {
  const { columns, isArray } = write;
  const body = { columns, isArray, rowCount: 1, json: Buffer.from(isArray ? '[]' : '{}') };
  return planTestWrite(studio.cache, FILMS, write, query, write.kind === 'delete' ? undefined : body);
}

/** The text and its number of parameters, or why there is none. */
function planned(write: Write, query: Query): string {
  try {
    const { text, values } = plan(write, query);
    return `${values.length}: ${text}`;
  } catch (error) {
    if (error instanceof CatalogueError && PLANNING.includes(error.code)) return error.code;
    throw error;
  }
}

/** A PUT needs the key, and no logic. */
function suited({ kind }: Write, query: Query): Query {
  if (kind !== 'put') return query;
  const operation = { kind: 'quantifiable', operator: 'eq', quantifier: undefined, value: '' } as const;
  const key = { path: [], value: { field: { name: 'id', path: [] }, isNegated: false, operation } };
  return { ...query, logic: [], filters: [key, ...query.filters.filter(({ path }) => path.length > 0)] };
}

const onConflict = fc.constantFrom(undefined, ['id'], ['title'], ['id', 'title; --']);

it('generates equal SQL without values for queries of equal shape', () => {
  fc.assert(
    fc.property(writes(SETTABLE), studioQueries(), onConflict, (write, shape, columns) => {
      const query = suited(write, { ...shape, onConflict: columns });
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
      const text = planned(write, one);
      expect(planned(write, other)).toBe(text);
      expect(text).not.toMatch(/ⓥ|90909|80808/);
    }),
    { numRuns: RUNS },
  );
});

it('generates SQL that PostgreSQL accepts or rejects for an error in the request', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(writes(SETTABLE), studioQueries(), onConflict, async (write, shape, columns) => {
      const query = withValues(
        suited(write, { ...shape, onConflict: columns }),
        () => '1',
        () => 1,
      );
      if (PLANNING.includes(planned(write, query))) return;
      const { text, values } = plan(write, query);
      try {
        // It is read and planned, but not run.
        await studio.client.query({ text: `explain ${text}`, values });
        accepted += 1;
      } catch (error) {
        expect(error).toSatisfy((each: Refusal) => isRefused(each, query));
      }
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
});

interface Refusal {
  code: string;
  message: string;
}

function isRefused({ code, message }: Refusal, { select }: Query): boolean {
  if (code === '42712') return hasDuplicates(select);
  return REFUSED.test(code) || (code === '42601' && UNREADABLE_SEARCH.test(message));
}

it('plans or rejects writes with any names', () => {
  fc.assert(
    fc.property(writes(['id', 'title', 'body', 'nothing', '"; --']), queries(WIDE), (write, query) => {
      expect(planned(write, query)).toMatch(/^PGRST\d+$|^\d+: with "pgrst_written" as \(/);
    }),
    { numRuns: RUNS },
  );
});
