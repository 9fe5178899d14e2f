import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callKey, planCall } from '../plan/call-plan.ts';
import { slotsOf } from '../plan/slots.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Arguments } from '../request/arguments.ts';
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import { callRowsSql } from './call.ts';
import { toText } from './sql.ts';
import { Calls } from './testing/calls.ts';

const VALUE = 'ⓥ';
const NAME = 'ⓝ';
/** Texts that mean something in SQL, in JSON or in the text of an array. */
const texts = fc.string({
  unit: fc.constantFrom('a', '"', "'", '\\', '{', '}', ',', ';', '-', '$', ' ', 'é', '☃'),
});
const names = texts.map((text) => `${NAME}${text}`);
const values = texts.map((text) => `${VALUE}${text}`);

const parameters: fc.Arbitrary<FunctionParameter[]> = fc
  .uniqueArray(names, { minLength: 1, maxLength: 4 })
  .chain((unique) =>
    fc
      .record({
        types: fc.array(fc.constantFrom('integer', 'character', 'studio.size', 'studio."Odd Type"'), {
          minLength: unique.length,
          maxLength: unique.length,
        }),
        hasVariadic: fc.boolean(),
      })
      .map(({ types, hasVariadic }) =>
        unique.map((name, index) => {
          const isVariadic = hasVariadic && index === unique.length - 1;
          const type = `${types[index]}${isVariadic ? '[]' : ''}`;
          return { name, type, typeWithModifier: type, isRequired: false, isVariadic };
        }),
      ),
  );

const results = fc.constantFrom<SqlFunction['result']>(
  { isSet: false, shape: { kind: 'scalar', type: { schema: 'pg_catalog', name: 'int4' }, isVoid: false } },
  { isSet: true, shape: { kind: 'scalar', type: { schema: 'pg_catalog', name: 'record' }, isVoid: false } },
  { isSet: true, shape: { kind: 'composite', type: { schema: 'studio', name: 'films' }, isRecord: false } },
);

const functions: fc.Arbitrary<SqlFunction> = fc
  .record({ name: names, parameters, result: results })
  .map((part) => ({
    ...part,
    schema: NAME,
    description: null,
    volatility: 'volatile',
    hasVariadic: false,
    isolation: undefined,
    settings: [],
  }));

const KINDS = ['texts', 'json', 'list', 'raw'] as const;

/** Arguments of some parameters, each with as many values as said. */
function argumentsOf(
  kind: (typeof KINDS)[number],
  chosen: readonly string[],
  all: readonly string[],
): Arguments {
  const bytes = Buffer.from(JSON.stringify(all));
  switch (kind) {
    case 'texts':
      return {
        kind,
        pairs: all.flatMap((value, index) => {
          const name = chosen[index % chosen.length];
          return name === undefined ? [] : [[name, value] as const];
        }),
      };
    case 'raw':
      return { kind, mediaType: { kind: 'text' }, bytes };
    default: {
      const isArray = kind === 'list';
      return { kind: 'json', body: { kind: 'json', json: bytes, isArray, rowCount: 1, columns: chosen } };
    }
  }
}

function textOf(called: SqlFunction, args: Arguments): string {
  const [only] = called.parameters;
  const chosen = { function: called, wholeBody: args.kind === 'raw' ? only : undefined };
  return toText(callRowsSql(planCall(chosen, args, slotsOf(parseQuery(''))))).text;
}

describe('the SQL text of a call', () => {
  it('quotes names, contains no values and is equal for equal keys', () => {
    fc.assert(
      fc.property(
        functions.chain((called) =>
          fc.record({
            called: fc.constant(called),
            chosen: fc.subarray(called.parameters.map(({ name }) => name)),
            kind: fc.constantFrom(...KINDS),
            one: fc.array(values, { minLength: 4, maxLength: 8 }),
            other: fc.array(values, { minLength: 4, maxLength: 8 }),
          }),
        ),
        ({ called, chosen, kind, one, other }) => {
          const args = argumentsOf(kind, chosen, one);
          const text = textOf(called, args);
          expect(text).not.toContain(VALUE);
          const outside = text.replaceAll(/"(?:[^"]|"")*"/g, '');
          expect(outside).not.toContain(NAME);
          expect(outside).not.toMatch(/['";\\{-]/);
          const again = argumentsOf(kind, chosen, other);
          const type = { kind: 'json' } as const;
          expect(callKey(again, type)).toBe(callKey(args, type));
          expect(textOf(called, again)).toBe(text);
        },
      ),
    );
  });
});

describe('a call', () => {
  let calls: Calls;
  beforeAll(async () => {
    calls = await Calls.open({ schemas: ['studio', 'annex'] });
  });
  afterAll(() => calls.close());

  const NAMES = ['First "Name"', 'second'] as const;
  const encoded = (text: string) => encodeURIComponent(text);
  const formOf = (list: readonly string[]) => list.map((text) => `parts=${encoded(text)}`).join('&');
  /** None of these is a condition. */
  const plain = texts.map((text) => `v${text}`);

  it('passes values to the function unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        plain,
        plain,
        fc.constantFrom('GET', 'form', 'JSON'),
        async (first, second, method) => {
          const [one, two] = NAMES;
          const body = `${encoded(one)}=${encoded(first)}&second=${encoded(second)}`;
          const query = `${encoded('"First \\"Name\\""')}=${encoded(first)}&second=${encoded(second)}`;
          const call = {
            GET: { query },
            form: { body, contentType: 'application/x-www-form-urlencoded' },
            JSON: { body: JSON.stringify({ [one]: first, [two]: second }) },
          }[method];
          const outcome = await calls.call('echo', call);
          expect(JSON.parse(outcome.body?.toString() ?? '')).toEqual([first, second]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('passes all elements to a variadic parameter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plain, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('GET', 'form', 'JSON'),
        async (parts, method) => {
          const call = {
            GET: { query: formOf(parts) },
            form: { body: formOf(parts), contentType: 'application/x-www-form-urlencoded' },
            JSON: { body: JSON.stringify({ parts }) },
          }[method];
          const outcome = await calls.call('joined', call);
          expect(JSON.parse(outcome.body?.toString() ?? '')).toEqual(parts);
        },
      ),
      { numRuns: 150 },
    );
  });
});
