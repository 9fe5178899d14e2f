import { describe, expect, it } from 'vitest';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';
import { isVoid, returnsRows, writeStatus } from './status.ts';

const preferences = (
  returning?: 'representation' | 'minimal' | 'headers-only',
  resolution?: 'merge-duplicates' | 'ignore-duplicates',
) => ({ return: returning, resolution });

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
  ] as const)('of %s with %j and %s new rows is %d', (kind, returning, inserted, status) => {
    expect(writeStatus(kind, returning, inserted)).toBe(status);
  });

  it('belongs to rows only with return=representation', () => {
    expect(returnsRows(preferences('representation'))).toBe(true);
    expect(returnsRows(preferences('headers-only'))).toBe(false);
    expect(returnsRows(preferences())).toBe(false);
  });
});

describe('isVoid', () => {
  const type = { schema: 'pg_catalog', name: 'void' };

  it.each<[SqlFunction['result']['shape'], boolean]>([
    [{ kind: 'scalar', type, isVoid: true }, true],
    [{ kind: 'scalar', type, isVoid: false }, false],
    [{ kind: 'composite', type, isRecord: false }, false],
  ])('of %j is %s', (shape, expected) => {
    expect(isVoid({ result: { isSet: false, shape } })).toBe(expected);
  });
});
