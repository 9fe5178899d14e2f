import { describe, expect, it } from 'vitest';
import type { Policy } from '../access/model.ts';
import { anonymousCaller, callerOf, parseClaims } from './claims.ts';
import { missingRights } from './missing-rights.ts';
import { type CheckResult, stagesOf, verdictOf } from './stages.ts';
import {
  arrayText,
  composeEvaluation,
  composeProbe,
  composeStatement,
  parseValues,
  requireOneStatement,
  StatementError,
} from './statement.ts';

const TABLE = { schema: 'public', name: 'no"tes' };
const form = { verb: 'select', condition: '', values: {}, returnsRows: false } as const;

describe('requireOneStatement', () => {
  it.each([
    'select 1',
    '-- a comment\nSELECT 1;',
    '(select 1)',
    'with a as (select 1) select * from a',
    'merge into a using b on true',
  ])('accepts %j', (sql) => {
    expect(requireOneStatement(sql)).toMatch(/^[a-z]+$/);
  });

  it.each([
    ['', 'not-one'],
    ['select 1; commit', 'not-one'],
    ['commit', 'not-rows'],
    ['do $$ begin commit; end $$', 'not-rows'],
    ['call p()', 'not-rows'],
    ['create table a ()', 'not-rows'],
    ["set role 'postgres'", 'not-rows'],
    ["select 'a", 'unreadable'],
  ])('refuses %j: %s', (sql, reason) => {
    expect(() => requireOneStatement(sql)).toThrow(expect.objectContaining({ reason }));
  });
});

describe('composeStatement', () => {
  it.each([
    [form, 'select * from "public"."no""tes"\nlimit 50', []],
    [
      { ...form, verb: 'insert', values: { a: '1', 'b"': null }, returnsRows: true },
      'insert into "public"."no""tes" ("a", "b""") values ($1, $2)\nreturning *',
      ['1', null],
    ],
    [{ ...form, verb: 'insert' }, 'insert into "public"."no""tes" default values', []],
    [
      { ...form, verb: 'update', values: { a: '1' }, condition: 'id = 1 -- x' },
      'update "public"."no""tes" set "a" = $1\nwhere (id = 1 -- x\n)',
      ['1'],
    ],
    [{ ...form, verb: 'delete', condition: 'a' }, 'delete from "public"."no""tes"\nwhere (a\n)', []],
  ] as const)('of %j is one statement with parameters', (fields, sql, parameters) => {
    expect(composeStatement(TABLE, fields)).toEqual({ sql, parameters });
  });

  it.each(['true); commit; select (1', 'true); drop table a; --'])(
    'refuses the condition %j, which is more than one',
    (condition) => {
      expect(() => composeStatement(TABLE, { ...form, condition })).toThrow(StatementError);
      expect(() => composeProbe(TABLE, { ...form, condition })).toThrow(StatementError);
    },
  );

  it('refuses an update without values', () => {
    expect(() => composeStatement(TABLE, { ...form, verb: 'update' })).toThrow(
      expect.objectContaining({ reason: 'no-values' }),
    );
  });
});

it('composeEvaluation names rows like the table, because expressions use this name', () => {
  expect(composeEvaluation(TABLE, ['a', 'b'])).toBe(
    'select (a) is true as greenroom_0, (b) is true as greenroom_1, "no""tes".* from unnest($1::"public"."no""tes"[]) as "no""tes"',
  );
});

it('arrayText escapes quotes and backslashes', () => {
  expect(arrayText(['(1,"a")', 'b\\'])).toBe(String.raw`{"(1,\"a\")","b\\"}`);
});

describe('parseValues', () => {
  const columns = [
    { name: 'list', type: 'text[]' },
    { name: 'data', type: 'jsonb' },
  ];

  it('converts values of JSON to texts of PostgreSQL', () => {
    const text = '{"a": 1, "b": true, "c": null, "d": "x", "list": ["y", null, "z\\""], "data": ["q"]}';
    expect(parseValues(text, columns)).toEqual({
      ...{ a: '1', b: 'true', c: null, d: 'x' },
      list: String.raw`{"y",null,"z\""}`,
      data: '["q"]',
    });
    expect(parseValues('  ', columns)).toEqual({});
  });

  it.each(['[]', '1', 'nonsense', 'null'])('refuses %s', (text) => {
    expect(() => parseValues(text, columns)).toThrow(expect.objectContaining({ reason: 'values' }));
  });
});

describe('callers', () => {
  it('of a person have the claims of an access token', () => {
    const person = {
      ...{ id: 'id', aud: null, role: null, email: 'a@example.org', phone: null },
      ...{ app_metadata: { role: 'admin' }, user_metadata: null, is_anonymous: false },
    };
    expect(callerOf(person, 'aal2')).toEqual({
      role: 'authenticated',
      claims: {
        ...{ sub: 'id', aud: 'authenticated', role: 'authenticated', email: 'a@example.org', phone: '' },
        ...{ aal: 'aal2', app_metadata: { role: 'admin' }, user_metadata: {}, is_anonymous: false },
      },
    });
    expect(anonymousCaller().role).toBe('anon');
  });

  it.each([
    ['{"role": "courier", "sub": "x"}', 'courier'],
    ['{}', 'anon'],
    ['{"role": 1}', 'anon'],
    ['[]', undefined],
    ['nonsense', undefined],
  ])('of the claims %s have the role %s', (text, role) => {
    expect(parseClaims(text)?.role).toBe(role);
  });
});

describe('missingRights', () => {
  const columns = [
    { name: 'a', select: true, insert: true, update: false },
    { name: 'b', select: false, insert: true, update: false },
  ];

  it.each([
    ['u', form, [{ right: 'select', columns: ['b'] }]],
    ['', { ...form, verb: 'delete' }, [{ right: 'usage' }, { right: 'delete' }]],
    ['uD', { ...form, verb: 'delete', condition: 'a' }, []],
    ['u', { ...form, verb: 'update', values: { a: '1' } }, [{ right: 'update' }]],
    ['u', { ...form, verb: 'insert', values: { a: '1', b: '1' } }, []],
    ['u', { ...form, verb: 'insert', returnsRows: true }, [{ right: 'select', columns: ['b'] }]],
  ] as const)('with the rights %j for %j are %j', (rights, fields, missing) => {
    expect(missingRights(rights, columns, fields)).toEqual(missing);
  });
});

describe('verdicts', () => {
  const policy = (name: string, change: Partial<Policy> = {}): Policy => ({
    ...{ name, command: 'all', isPermissive: true, roles: ['public'] },
    ...{ using: name, check: null, appliesTo: [true] },
    ...change,
  });
  const limit = policy('limit', { isPermissive: false });

  it('of an update that reads rows have four stages, of an insert one', () => {
    const describeStages = (verb: 'update' | 'insert', reads: boolean) =>
      stagesOf([policy('p')], 0, verb, reads).map(
        (stage) => `${stage.verb} ${stage.clause} ${stage.row} ${stage.effect}`,
      );
    expect(describeStages('update', true)).toEqual([
      'update using old hides',
      'select using old hides',
      'update check new refuses',
      'select using new refuses',
    ]);
    expect(describeStages('insert', false)).toEqual(['insert check new refuses']);
  });

  it.each<[string, Policy[], CheckResult[], object]>([
    [
      'one permissive policy passed',
      [policy('a'), policy('b')],
      ['failed', 'passed'],
      { outcome: 'passed', policies: ['b'] },
    ],
    [
      'all failed',
      [policy('a'), policy('b')],
      ['failed', 'failed'],
      { outcome: 'hidden', policies: ['a', 'b'] },
    ],
    [
      'a restrictive policy failed',
      [policy('a'), limit],
      ['passed', 'failed'],
      { outcome: 'hidden', policies: ['limit'] },
    ],
    ['none is permissive', [limit], ['passed'], { outcome: 'hidden', policies: [] }],
    ['there is none', [], [], { outcome: 'hidden', policies: [] }],
    [
      'one is unknown, another passed',
      [policy('a'), policy('b')],
      ['unknown', 'passed'],
      { outcome: 'passed' },
    ],
    [
      'one is unknown, another failed',
      [policy('a'), policy('b')],
      ['unknown', 'failed'],
      { outcome: 'unknown', policies: ['a'] },
    ],
    ['a restrictive one is unknown', [policy('a'), limit], ['passed', 'unknown'], { outcome: 'unknown' }],
  ])('for a select, if %s, are combined as PostgreSQL does', (_, policies, results, expected) => {
    expect(verdictOf(stagesOf(policies, 0, 'select', true), [results])).toMatchObject(expected);
  });

  it('of a new row that fails refuse it, and name the stage', () => {
    const stages = stagesOf([policy('a')], 0, 'update', false);
    expect(verdictOf(stages, [['passed'], ['failed']])).toEqual({
      outcome: 'refused',
      stage: 1,
      policies: ['a'],
    });
  });
});
