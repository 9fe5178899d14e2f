import { describe, expect, it } from 'vitest';
import type { Relation } from '../schema-cache/schema-cache.ts';
import { methodsOfFunction, methodsOfRelation } from './options-response.ts';

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
