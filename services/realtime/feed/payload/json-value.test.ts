import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from './json-value.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Returns PostgreSQL's output text and JSON of values of one type. */
async function selectFromPostgres(type: string, values: readonly string[]) {
  const [, rows = []] = await database.admin.batch([
    { text: "set local timezone = 'UTC'" },
    {
      text: `select v::${type}::text as output, to_jsonb(v::${type})::text as json, '${type}'::regtype::oid::int as oid
        from unnest($1::text[]) with ordinality as u(v, n) order by n`,
      values: [values],
    },
  ]);
  return rows as { output: string; json: string; oid: number }[];
}

const number = (max: bigint) => fc.bigInt({ min: -max, max: max - 1n }).map(String);
const decimals = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => String(n / 1000));
const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
const times = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const special = (values: fc.Arbitrary<string>, ...more: string[]) =>
  fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom(...more) });

describe('jsonOf', () => {
  it.each<[type: string, values: fc.Arbitrary<string>]>([
    ['int2', number(2n ** 15n)],
    ['int4', number(2n ** 31n)],
    ['int8', number(2n ** 63n)],
    [
      'numeric',
      special(
        fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
        'NaN',
        '-Infinity',
        '0.10',
        '-0',
      ),
    ],
    ['float4', special(decimals, 'NaN', 'Infinity', '-0', '1e20')],
    ['float8', special(decimals, 'NaN', '-Infinity', '-0', '1e-7')],
    ['text', texts],
    ['varchar', texts],
    ['uuid', fc.uuid()],
    ['date', special(times, 'infinity', '0044-03-15 BC', '12026-01-01')],
    ['timestamp', special(times, '-infinity', '0044-03-15 12:00 BC', '12026-01-01')],
    ['timestamptz', special(times, 'infinity', '0044-03-15 12:00 BC', '12026-01-01')],
    ['jsonb', fc.json()],
  ])('of %s equals the result of to_jsonb, or is undefined', async (type, arbitrary) => {
    const values = fc
      .sample(arbitrary, 100)
      .filter((value) => type !== 'jsonb' || !value.includes('\\u0000'));
    let own = 0;
    for (const { output, json, oid } of await selectFromPostgres(type, values)) {
      const converted = jsonOf(oid, output);
      if (converted === undefined) continue;
      own += 1;
      // Compares numbers as text, because they must keep all digits. Strings may have other escapes.
      if (json.startsWith('"')) expect(JSON.parse(converted)).toBe(JSON.parse(json));
      else expect(converted).toBe(json);
    }
    expect(own).toBeGreaterThan(10);
  });

  it.each([
    [16, 't', 'true'],
    [16, 'f', 'false'],
    [17, '\\x00ff', '"00ff"'],
    [114, '{"a":1}', undefined],
    [1007, '{1}', undefined],
  ])('of type %i converts %j to %j', (oid, text, json) => {
    expect(jsonOf(oid, text)).toBe(json);
  });
});
