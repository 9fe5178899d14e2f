/** The extension pg_jsonschema. Its rules were compared with the official test suite, see docs/extensions.md. */
import { createTestDatabase, lastRows, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
  await client.query('create extension pg_jsonschema with schema extensions');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

/** A schema or an instance; texts are JSON. */
type Json = object | boolean | string;

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function call(name: string, ...values: Json[]): Promise<unknown> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ');
  const { rows } = await client.query<{ result: unknown }>(
    `select extensions.${name}(${parameters}) as result`,
    values.map(textOf),
  );
  return rows[0]?.result;
}

const errorsOf = (schema: Json, instance: Json) => call('jsonschema_validation_errors', schema, instance);

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

describe('json_matches_schema and jsonb_matches_schema', () => {
  it.each<[string, Json, Json, Json]>([
    ['a type', { type: 'integer' }, '1.0', '1.5'],
    ['several types', { type: ['string', 'null'] }, 'null', '1'],
    ['const', { const: { a: [1] } }, { a: [1.0] }, { a: [1, 2] }],
    ['enum', { enum: ['a', 1] }, '1', '"b"'],
    ['limits of numbers', { exclusiveMinimum: 1, maximum: 3, multipleOf: 0.1 }, '2.3', '1'],
    ['an exclusive limit of draft 4', { $schema: DRAFT_4, maximum: 3, exclusiveMaximum: true }, '2', '3'],
    ['lengths in code points', { minLength: 2, maxLength: 2 }, '"😀😀"', '"😀"'],
    ['a pattern of ECMA 262', { pattern: '^\\d+\\.[\\w-]\\p{L}\\x41\\/$' }, '"12.-äA/"', '"12x-äA/"'],
    ['sizes of arrays', { minItems: 1, maxItems: 2, uniqueItems: true }, [1, 2], [1, 1.0]],
    ['required properties', { required: ['a'] }, { a: null }, { b: 1 }],
    ['sizes of objects', { minProperties: 1, maxProperties: 1 }, { a: 1 }, {}],
    [
      'properties by name and pattern',
      {
        properties: { a: { minimum: 1 } },
        patternProperties: { '^x': { type: 'string' } },
        additionalProperties: false,
      },
      { a: 1, xy: 'z' },
      { a: 1, b: 1 },
    ],
    ['names of properties', { propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    ['items', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
    ['items of draft 7', { $schema: DRAFT_7, items: [true], additionalItems: false }, [1], [1, 2]],
    ['contained items', { contains: { const: 1 }, minContains: 2 }, [1, 1], [1, 2]],
    [
      'combinations',
      {
        allOf: [true],
        anyOf: [{ type: 'null' }, true],
        oneOf: [{ type: 'string' }, { minimum: 2 }],
        not: { const: 3 },
      },
      '2',
      '3',
    ],
    [
      'conditions',
      '{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": false}',
      { a: 1, b: 1 },
      { b: 1 },
    ],
    [
      'dependent properties',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: false } },
      { a: 1, b: 1 },
      { a: 1 },
    ],
    ['a format of draft 7', { $schema: DRAFT_7, format: 'date' }, '"2024-02-29"', '"2023-02-29"'],
    ['references by pointer', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, '"x"', '1'],
    [
      'references by URI and anchor',
      {
        $id: 'https://a.example/root',
        items: { $ref: 'part#x' },
        $defs: { p: { $id: 'part', $defs: { x: { $anchor: 'x', type: 'null' } } } },
      },
      [null],
      [1],
    ],
    [
      'recursive schemas',
      { properties: { next: { $ref: '#' } }, additionalProperties: false },
      { next: { next: {} } },
      { next: { x: 1 } },
    ],
    [
      'dynamic references',
      {
        $id: 'https://a.example/strict',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: {
          t: {
            $id: 'tree',
            $dynamicAnchor: 'node',
            properties: { sub: { items: { $dynamicRef: '#node' } } },
          },
        },
      },
      { sub: [{ sub: [] }] },
      { sub: [{ other: 1 }] },
    ],
    [
      'recursive references of draft 2019-09',
      {
        $schema: DRAFT_2019,
        $id: 'https://a.example/strict',
        $recursiveAnchor: true,
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: { t: { $id: 'tree', $recursiveAnchor: true, properties: { sub: { $recursiveRef: '#' } } } },
      },
      { sub: { sub: {} } },
      { sub: { other: 1 } },
    ],
    ['unevaluated items', { anyOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1], [1, 2]],
    ['the rules of schemas', { $ref: DRAFT_7 }, { minLength: 1 }, { minLength: -1 }],
  ])('apply %s', async (_, schema, valid, invalid) => {
    for (const name of ['json_matches_schema', 'jsonb_matches_schema']) {
      expect([await call(name, schema, valid), await call(name, schema, invalid)]).toEqual([true, false]);
    }
  });

  it('take formats for notes from draft 2019-09 on', async () => {
    expect(await call('json_matches_schema', { format: 'date' }, '"x"')).toBe(true);
  });

  it('ignore keywords beside $ref up to draft 7', async () => {
    const schema = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } };
    expect(await call('json_matches_schema', { $schema: DRAFT_7, ...schema }, '"xyz"')).toBe(true);
    expect(await call('json_matches_schema', schema, '"xyz"')).toBe(false);
  });

  it.each<[string, Json, Json, string, RegExp]>([
    [
      'a schema that breaks the rules',
      { type: 'objekt' },
      {},
      '22023',
      /^invalid JSON schema: "objekt" is not/,
    ],
    [
      'an unknown specification',
      { $schema: 'https://a.example/' },
      {},
      '22023',
      /^unknown JSON schema specification/,
    ],
    [
      'a schema of another place',
      { $ref: 'https://a.example/' },
      {},
      '22023',
      /no part "https:\/\/a.example\/"/,
    ],
    ['a reference to nothing', { $ref: '#/$defs/a' }, {}, '22023', /no part "#\/\$defs\/a"/],
    ['a reference to itself', { $ref: '#' }, {}, '22023', /leads to itself/],
    ['a deeper reference to itself', { allOf: [{ $ref: '#' }] }, {}, '54001', /stack depth limit exceeded/],
    [
      'an unknown property of Unicode',
      { pattern: '\\p{Script=Greek}' },
      '"a"',
      '0A000',
      /"Greek" is not supported/,
    ],
  ])('refuse %s', async (_, schema, instance, code, message) => {
    await expect(call('json_matches_schema', schema, instance)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('report an instance that is too deep for a recursive schema, and the connection survives', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    await client.query('savepoint before');
    await expect(
      call('json_matches_schema', { properties: { a: { $ref: '#' } } }, deep),
    ).rejects.toMatchObject({ code: '54001' });
    await client.query('rollback to before');
    expect(await call('json_matches_schema', { type: 'object' }, deep)).toBe(true);
  });

  it('are part of a check constraint that applies to roles of clients', async () => {
    await client.query(`
      create table public.settings (value jsonb check (extensions.jsonb_matches_schema('{
        "type": "object", "required": ["theme"], "properties": {"theme": {"enum": ["light", "dark"]}}
      }', value)));
      grant insert on public.settings to authenticated;
      set local role authenticated`);
    await client.query(`insert into public.settings values ('{"theme": "dark"}')`);
    await expect(
      client.query(`insert into public.settings values ('{"theme": "pink"}')`),
    ).rejects.toMatchObject({
      code: '23514',
      constraint: 'settings_value_check',
    });
  });

  it('are immutable, strict and parallel safe', async () => {
    expect(
      await lastRows(
        client,
        `select distinct provolatile, proisstrict, proparallel from pg_proc
          where pronamespace = 'extensions'::regnamespace and proname like '%json%schema%'`,
      ),
    ).toEqual([{ provolatile: 'i', proisstrict: true, proparallel: 's' }]);
  });
});

describe('jsonschema_validation_errors', () => {
  it.each<[Json, Json, string[]]>([
    [{ maxLength: 4 }, '"foo"', []],
    [{ maxLength: 4 }, '"123456789"', ['"123456789" is longer than 4 characters']],
    [
      { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['c'] },
      { a: 1, b: [] },
      ['"c" is a required property', '1 is not of type "string"', '[] is not of type "number"'],
    ],
    [
      { additionalProperties: false },
      { x: 1, y: 2 },
      [`Additional properties are not allowed ('x', 'y' were unexpected)`],
    ],
    [{ maximum: 3 }, '5', ['5 is greater than the maximum of 3']],
    [{ type: ['string', 'null'] }, { a: [1, ', '] }, ['{"a":[1,", "]} is not of types "string", "null"']],
    [
      { anyOf: [{ type: 'null' }] },
      '1',
      [`1 is not valid under any of the schemas listed in the 'anyOf' keyword`],
    ],
    [{ enum: 1 }, '1', ['1 is not of type "array"']],
  ])('returns for %j and %j: %j', async (schema, instance, errors) => {
    expect(await errorsOf(schema, instance)).toEqual(errors);
  });
});

describe('jsonschema_is_valid', () => {
  it.each<[Json, boolean]>([
    [{ type: 'object', properties: { a: true } }, true],
    [true, true],
    [{ type: 'obj' }, false],
    [{ properties: { a: { minLength: -1 } } }, false],
    [{ $schema: 'invalid-uri', type: 'string' }, false],
    [{ $schema: DRAFT_4, exclusiveMaximum: true, maximum: 1 }, true],
    [{ exclusiveMaximum: true }, false],
    ['1', false],
  ])('returns for %j: %j', async (schema, isValid) => {
    expect(await call('jsonschema_is_valid', schema)).toBe(isValid);
  });
});

describe('the extension', () => {
  it('can be created in the schema public with a version of the hosted service, and dropped', async () => {
    await client.query(
      `drop extension pg_jsonschema; create extension pg_jsonschema with schema public version '0.3.3'`,
    );
    expect(await lastRows(client, `select public.json_matches_schema('{}', '1') as matches`)).toEqual([
      { matches: true },
    ]);
    await client.query('drop extension pg_jsonschema');
    expect(await lastRows(client, `select from pg_namespace where nspname = '_pg_jsonschema'`)).toEqual([]);
  });
});
