import { describe, expect, it } from 'vitest';
import type { ExecutionPlan } from '../plan/request-plan.ts';
import { type Preferences, parsePreferences } from '../request/preferences.ts';
import type { Relation } from '../schema-cache/schema-cache.ts';
import { limitsRowCount, requireMaxAffected, requireRowCount, requireSingleRow } from './row-count.ts';

it.each([0, 2])('a single-object response rejects %d rows', (rows) => {
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
])('a write of %d rows with max-affected=%s is rejected: %s', (rows, allowed, isRefused) => {
  const check = () => requireMaxAffected(rows, allowed);
  if (isRefused) expect(check).toThrow(expect.objectContaining({ code: 'PGRST124', status: 400 }));
  else expect(check).not.toThrow();
});

describe('the row limit of a request', () => {
  const json: ExecutionPlan = {
    kind: 'delete',
    relation: {} as Relation,
    hasArbiter: false,
    negotiated: { mediaType: { kind: 'json' }, handler: { kind: 'json' } },
    explains: false,
    legacyReferences: [],
  };
  const object: ExecutionPlan = {
    ...json,
    negotiated: {
      mediaType: { kind: 'object', stripsNulls: false },
      handler: { kind: 'object', stripsNulls: false },
    },
  };
  const none = parsePreferences(undefined, { transactionEnd: true, timezone: true });
  const limited = parsePreferences('max-affected=1, handling=strict', {
    transactionEnd: true,
    timezone: true,
  });

  it.each<[name: string, plan: ExecutionPlan, preferences: Preferences, code: string | undefined]>([
    ['is missing for a list', json, none, undefined],
    ['is one row for a single object', object, none, 'PGRST116'],
    ['is missing for an explained single object', { ...object, explains: true }, none, undefined],
    ['is one row for a PUT', { ...json, kind: 'put' }, none, 'PGRST115'],
    ['is one row for a PUT with a single object', { ...object, kind: 'put' }, none, 'PGRST115'],
    ['is missing for an explained PUT', { ...json, kind: 'put', explains: true }, none, undefined],
    ['is max-affected', json, limited, 'PGRST124'],
    ['is missing for an insert with max-affected', { ...json, kind: 'insert' }, limited, undefined],
    ['is missing for the OpenAPI document', { kind: 'describe', isHead: false }, limited, undefined],
  ])('%s', (_, plan, preferences, code) => {
    const check = () => requireRowCount(plan, preferences, 2);
    expect(limitsRowCount(plan, preferences)).toBe(code !== undefined);
    if (code === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }));
    expect(() => requireRowCount(plan, preferences, 1)).not.toThrow();
  });
});
