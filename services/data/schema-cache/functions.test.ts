import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Studio, THEATRE } from '../testing/studio/studio.ts';
import { type FunctionResult, keyOf, type SchemaCache, type SqlFunction } from './schema-cache.ts';

let studio: Studio;
let cache: SchemaCache;
beforeAll(async () => {
  studio = await Studio.open(THEATRE);
  cache = studio.cache;
});
afterAll(() => studio.close());

function overloadsOf(name: string): readonly SqlFunction[] {
  return cache.functions.get(keyOf({ schema: 'theatre', name })) ?? [];
}

function requireFunction(name: string): SqlFunction {
  const [first] = overloadsOf(name);
  if (!first) throw new Error(`no function ${name}`);
  return first;
}

describe('parameters', () => {
  it.each([
    ['none', 'plays', []],
    ['with a default', 'add', ['a integer required', 'b integer']],
    ['variadic', 'total', ['prices integer[] required variadic']],
    [
      'inputs between outputs, cast without cutting off',
      'bounds',
      ['high integer required', 'step character as character varying required', 'flag bit as bit varying'],
    ],
    ['of a function that returns a table', 'seats_of', ['hall integer required']],
    ['one without a name, for a body', 'body', [' json required']],
  ])('%s', (_, name, expected) => {
    const words = requireFunction(name).parameters.map((parameter) =>
      [
        `${parameter.name} ${parameter.type}`,
        parameter.typeWithModifier !== parameter.type && `as ${parameter.typeWithModifier}`,
        parameter.isRequired && 'required',
        parameter.isVariadic && 'variadic',
      ]
        .filter(Boolean)
        .join(' '),
    );
    expect(words).toEqual(expected);
  });

  it('tell whether one is variadic', () => {
    expect([requireFunction('total').hasVariadic, requireFunction('add').hasVariadic]).toEqual([true, false]);
  });
});

describe('overloads', () => {
  it('stand together, the one with the fewest parameters first', () => {
    expect(overloadsOf('add').map(({ parameters }) => parameters.length)).toEqual([2, 3]);
  });
  it('have comments of their own', () => {
    expect(overloadsOf('add').map(({ description }) => description)).toEqual(['Adds', null]);
  });
});

const scalar = (name: string, isVoid = false): FunctionResult['shape'] => ({
  kind: 'scalar',
  type: { schema: 'pg_catalog', name },
  isVoid,
});
const composite = (schema: string, name: string, isRecord: boolean): FunctionResult['shape'] => ({
  kind: 'composite',
  type: { schema, name },
  isRecord,
});

describe('results', () => {
  it.each<[string, string, boolean, FunctionResult['shape']]>([
    ['a value', 'add', false, scalar('int4')],
    ['nothing', 'close_curtain', false, scalar('void', true)],
    [
      'values of a domain over an enum',
      'genres',
      true,
      { kind: 'scalar', type: { schema: 'theatre', name: 'genre' }, isVoid: false },
    ],
    ['rows of a table', 'plays', true, composite('theatre', 'play', false)],
    [
      'a domain over a domain over a composite type',
      'best_place',
      false,
      composite('theatre', 'place', false),
    ],
    ['output parameters', 'bounds', false, composite('pg_catalog', 'record', true)],
    ['one output parameter', 'one_out', false, composite('pg_catalog', 'int4', true)],
    ['a table of its own', 'seats_of', true, composite('pg_catalog', 'record', true)],
    ['a record that says nothing about itself', 'anything', false, scalar('record')],
  ])('%s', (_, name, isSet, shape) => {
    expect(requireFunction(name).result).toEqual({ isSet, shape });
  });
});

describe('volatility, isolation and settings', () => {
  it.each([
    ['add', 'immutable'],
    ['plays', 'stable'],
    ['close_curtain', 'volatile'],
  ])('%s is %s', (name, volatility) => {
    expect(requireFunction(name).volatility).toBe(volatility);
  });

  it('are those of ALTER FUNCTION SET, as far as they hold for the whole transaction', () => {
    const { isolation, settings } = requireFunction('careful');
    expect(isolation).toBe('repeatable read');
    expect(settings).toEqual([
      ['default_transaction_isolation', 'repeatable read'],
      ['statement_timeout', '3s'],
    ]);
  });

  it('are none of a function that sets nothing', () => {
    expect(requireFunction('add')).toMatchObject({ isolation: undefined, settings: [] });
  });
});

describe('functions', () => {
  it.each([
    ['for triggers', 'on_change'],
    ['for event triggers', 'on_ddl'],
    ['that are procedures', 'rehearse'],
    ['that are aggregates', 'product'],
    ['of one row, which are columns or relationships', 'shout'],
    ['with a value without a name that no body can be', 'no_body'],
    ['with a value without a name beside others', 'half_named'],
    ['of hidden schemas', 'secret'],
  ])('%s are left out: %s', (_, name) => {
    expect([...cache.functions.values()].flat().filter((one) => one.name === name)).toEqual([]);
  });
});
