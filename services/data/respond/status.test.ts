import { describe, expect, it } from 'vitest';
import type { Relation, SqlFunction } from '../schema-cache/schema-cache.ts';
import {
  isVoid,
  methodsOfFunction,
  methodsOfRelation,
  requireMaxAffected,
  requireSingleRow,
  tellsRows,
  writeStatus,
} from './status.ts';

const preferences = (
  wanted?: 'representation' | 'minimal' | 'headers-only',
  resolution?: 'merge-duplicates' | 'ignore-duplicates',
) => ({ return: wanted, resolution });

describe('writeStatus', () => {
  it.each([
    ['insert', preferences(), undefined, 201],
    ['insert', preferences('minimal'), 1, 201],
    ['insert', preferences('representation'), 1, 201],
    ['insert', preferences(undefined, 'merge-duplicates'), 1, 201],
    ['insert', preferences(undefined, 'merge-duplicates'), 0, 200],
    ['insert', preferences('representation', 'merge-duplicates'), 0, 200],
    ['insert', preferences(undefined, 'ignore-duplicates'), 0, 201],
    ['insert', preferences(), 0, 201],
    ['update', preferences(), undefined, 204],
    ['update', preferences('headers-only'), undefined, 204],
    ['update', preferences('representation'), undefined, 200],
    ['delete', preferences('minimal'), undefined, 204],
    ['delete', preferences('representation'), undefined, 200],
    ['put', preferences(), 1, 204],
    ['put', preferences('representation'), 1, 201],
    ['put', preferences('representation'), 0, 200],
  ] as const)('of %s with %j and %s new rows is %d', (kind, wanted, inserted, status) => {
    expect(writeStatus(kind, wanted, inserted)).toBe(status);
  });

  it('goes with rows where they were asked for', () => {
    expect(tellsRows(preferences('representation'))).toBe(true);
    expect(tellsRows(preferences('headers-only'))).toBe(false);
    expect(tellsRows(preferences())).toBe(false);
  });
});

describe('isVoid', () => {
  const type = { schema: 'pg_catalog', name: 'void' };

  it.each<[SqlFunction['result']['shape'], boolean]>([
    [{ kind: 'scalar', type, isVoid: true }, true],
    [{ kind: 'scalar', type, isVoid: false }, false],
    [{ kind: 'composite', type, isRecord: false }, false],
  ])('of %j: %s', (shape, expected) => {
    expect(isVoid({ result: { isSet: false, shape } })).toBe(expected);
  });
});

it.each([0, 2])('one row is not %d', (rows) => {
  expect(() => requireSingleRow(rows)).toThrow(
    expect.objectContaining({
      code: 'PGRST116',
      status: 406,
      extra: { details: `The result contains ${rows} rows` },
    }),
  );
  expect(() => requireSingleRow(1)).not.toThrow();
});

it.each([
  [3, undefined, false],
  [3, 3, false],
  [4, 3, true],
  [1, 0, true],
])('%d changed rows where %s are allowed: refused %s', (rows, allowed, isRefused) => {
  const check = () => requireMaxAffected(rows, allowed);
  if (isRefused) expect(check).toThrow(expect.objectContaining({ code: 'PGRST124', status: 400 }));
  else expect(check).not.toThrow();
});

describe('Allow', () => {
  const relation = (
    isInsertable: boolean,
    isUpdatable: boolean,
    isDeletable: boolean,
    key: string[],
  ): Relation => ({
    schema: 'api',
    name: 't',
    description: null,
    isView: false,
    isInsertable,
    isUpdatable,
    isDeletable,
    primaryKey: key,
    columns: new Map(),
  });
  it.each([
    [relation(true, true, true, ['id']), 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    [relation(true, true, true, []), 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    [relation(true, false, false, ['id']), 'OPTIONS,GET,HEAD,POST'],
    [relation(false, true, true, ['id']), 'OPTIONS,GET,HEAD,PATCH,DELETE'],
    [relation(false, false, false, []), 'OPTIONS,GET,HEAD'],
  ])('of %o is %s', (described, methods) => {
    expect(methodsOfRelation(described)).toBe(methods);
  });

  it.each([
    ['volatile', 'OPTIONS,POST'],
    ['stable', 'OPTIONS,GET,HEAD,POST'],
    ['immutable', 'OPTIONS,GET,HEAD,POST'],
  ] as const)('of a function that is %s is %s', (volatility, methods) => {
    expect(methodsOfFunction({ volatility })).toBe(methods);
  });
});
