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

describe('parameters of a function', () => {
  it.each([
    ['are empty', 'plays', []],
    ['may have a default', 'add', ['a integer required', 'b integer']],
    ['may be variadic', 'total', ['prices integer[] required variadic']],
    [
      'include INOUT parameters with types that do not truncate',
      'bounds',
      ['high integer required', 'step character as character varying required', 'flag bit as bit varying'],
    ],
    ['exclude the columns of a returned table', 'seats_of', ['hall integer required']],
    ['may have no name', 'body', [' json required']],
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

  it('set hasVariadic if one is variadic', () => {
    expect([requireFunction('total').hasVariadic, requireFunction('add').hasVariadic]).toEqual([true, false]);
  });
});

describe('overloads of a function', () => {
  it('are ordered by their number of parameters', () => {
    expect(overloadsOf('add').map(({ parameters }) => parameters.length)).toEqual([2, 3]);
  });
  it('have separate comments', () => {
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

describe('results of a function', () => {
  it.each<[string, string, boolean, FunctionResult['shape']]>([
    ['may be a value', 'add', false, scalar('int4')],
    ['may be void', 'close_curtain', false, scalar('void', true)],
    [
      'may be a set of a domain over an enum',
      'genres',
      true,
      { kind: 'scalar', type: { schema: 'theatre', name: 'genre' }, isVoid: false },
    ],
    ['may be rows of a table', 'plays', true, composite('theatre', 'play', false)],
    [
      'may be a nested domain over a composite type',
      'best_place',
      false,
      composite('theatre', 'place', false),
    ],
    ['may be several output parameters', 'bounds', false, composite('pg_catalog', 'record', true)],
    ['may be one output parameter', 'one_out', false, composite('pg_catalog', 'int4', true)],
    ['may be RETURNS TABLE', 'seats_of', true, composite('pg_catalog', 'record', true)],
    ['may be an untyped record', 'anything', false, scalar('record')],
  ])('%s', (_, name, isSet, shape) => {
    expect(requireFunction(name).result).toEqual({ isSet, shape });
  });
});

describe('volatility, isolation and settings of a function', () => {
  it.each([
    ['add', 'immutable'],
    ['plays', 'stable'],
    ['close_curtain', 'volatile'],
  ])('are read from the catalog: %s is %s', (name, volatility) => {
    expect(requireFunction(name).volatility).toBe(volatility);
  });

  it('include the settings of ALTER FUNCTION SET that apply to the transaction', () => {
    const { isolation, settings } = requireFunction('careful');
    expect(isolation).toBe('repeatable read');
    expect(settings).toEqual([
      ['default_transaction_isolation', 'repeatable read'],
      ['statement_timeout', '3s'],
    ]);
  });

  it('are empty without SET', () => {
    expect(requireFunction('add')).toMatchObject({ isolation: undefined, settings: [] });
  });
});

describe('functions', () => {
  it.each([
    ['of triggers', 'on_change'],
    ['of event triggers', 'on_ddl'],
    ['declared as procedures', 'rehearse'],
    ['declared as aggregates', 'product'],
    ['that are computed fields', 'shout'],
    ['with an unnamed parameter of an unsupported type', 'no_body'],
    ['with named and unnamed parameters', 'half_named'],
    ['in schemas that are not exposed', 'secret'],
  ])('%s are excluded: %s', (_, name) => {
    expect([...cache.functions.values()].flat().filter((one) => one.name === name)).toEqual([]);
  });
});
