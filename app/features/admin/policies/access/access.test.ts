import { describe, expect, it } from 'vitest';
import { policyWordsTexts } from '../../../../texts/admin-policies-words.ts';
import { accessOf, stateOf } from './access.ts';
import { conditionOf, withoutParentheses } from './conditions.ts';
import { cellsOf, filterRows, matrixRowOf } from './matrix.ts';
import type { Policy, RoleInfo, TableInfo } from './model.ts';
import { wordsOf } from './words.ts';

const ROLES: RoleInfo[] = [
  { name: 'anon', bypasses: false },
  { name: 'service_role', bypasses: true },
];
const table = (change: Partial<TableInfo> = {}): TableInfo => ({
  ...{ schema: 'public', name: 'notes', kind: 'table', owner: 'postgres' },
  ...{ hasRls: true, isForced: false, isInvoker: false, rights: ['uSIWD', 'uSIWD'], policies: [] },
  ...change,
});
const policy = (change: Partial<Policy> = {}): Policy => ({
  ...{ name: 'own', command: 'all', isPermissive: true, roles: ['public'] },
  ...{ using: '(owner = auth.uid())', check: null, appliesTo: [true, true] },
  ...change,
});

describe('accessOf', () => {
  it.each<[string, Partial<TableInfo>, number, 'select' | 'insert' | 'update', object]>([
    ['no usage of the schema', { rights: ['S', ''] }, 0, 'select', { kind: 'refused', reason: 'no-usage' }],
    ['no grant', { rights: ['uS', ''] }, 0, 'insert', { kind: 'refused', reason: 'no-grant' }],
    ['no policy', {}, 0, 'select', { kind: 'refused', reason: 'no-policy' }],
    ['no RLS', { hasRls: false }, 0, 'select', { kind: 'all', reason: 'rls-off', isPartial: false }],
    ['a bypassing role', {}, 1, 'select', { kind: 'all', reason: 'bypasses', isPartial: false }],
    ['the owner', { rights: ['uoSIWD'] }, 0, 'select', { kind: 'all', reason: 'owner', isPartial: false }],
    [
      'the owner with forced RLS',
      { rights: ['uoSIWD'], isForced: true },
      0,
      'select',
      { kind: 'refused', reason: 'no-policy' },
    ],
    ['some columns', { hasRls: false, rights: ['us'] }, 0, 'select', { kind: 'all', isPartial: true }],
    [
      'only a restrictive policy',
      { policies: [policy({ isPermissive: false })] },
      0,
      'select',
      { kind: 'refused', reason: 'no-policy' },
    ],
    [
      'a policy without USING',
      { policies: [policy({ using: null, check: 'true' })] },
      0,
      'update',
      { kind: 'refused', reason: 'no-policy' },
    ],
    [
      'a policy of another role',
      { policies: [policy({ appliesTo: [false, true] })] },
      0,
      'select',
      { kind: 'refused', reason: 'no-policy' },
    ],
    ['a policy', { policies: [policy()] }, 0, 'insert', { kind: 'policy', isPartial: false }],
    [
      'a write to a materialized view',
      { kind: 'materialized view' },
      0,
      'update',
      { kind: 'refused', reason: 'read-only' },
    ],
    [
      'a view with the rights of its caller',
      { kind: 'view', isInvoker: true },
      0,
      'select',
      { kind: 'invoker' },
    ],
    [
      'a view with the rights of its owner',
      { kind: 'view' },
      0,
      'select',
      { reason: 'no-policies-possible' },
    ],
  ])('with %s decides as PostgreSQL', (_, change, role, verb, expected) => {
    expect(accessOf(table(change), ROLES, role, verb)).toMatchObject(expected);
  });
});

describe('conditionOf', () => {
  it.each([
    [['a'], [], 'a'],
    [['(a)', '(b)'], [], '(a) or (b)'],
    [['a', 'true'], [], 'true'],
    [['a'], ['b'], '(a) and (b)'],
    [['a', 'b'], ['c'], '((a) or (b)) and (c)'],
    [['true'], ['c'], 'c'],
    [['a', 'a'], ['true'], 'a'],
  ])('joins permissive %j and restrictive %j as %s', (permissive, restrictive, expected) => {
    const some = (texts: string[], isPermissive: boolean) =>
      texts.map((using) => policy({ using, isPermissive }));
    expect(conditionOf('using', some(permissive, true), some(restrictive, false))).toBe(expected);
  });

  it.each([
    ['((a = 1))', 'a = 1'],
    ['(a) or (b)', '(a) or (b)'],
    ["(a = ')')", "a = ')'"],
    ['("(" = 1)', '"(" = 1'],
    ['a', 'a'],
  ])('removes the outer parentheses of %s', (expression, expected) => {
    expect(withoutParentheses(expression)).toBe(expected);
  });
});

describe('wordsOf', () => {
  const words = (change: Partial<TableInfo>, role = 0) =>
    wordsOf(table(change), ROLES, role, policyWordsTexts.en).map((parts) =>
      parts.map((part) => (typeof part === 'string' ? part : `[${part.code}]`)).join(''),
    );

  it('says once that there is no access, with the reason', () => {
    expect(words({})).toEqual(['[anon]: no access, because there is no policy.']);
    expect(words({ rights: ['u', ''] })).toEqual(['[anon]: no access, because there is no grant.']);
  });

  it('says once that all rows are accessible, with the reason', () => {
    expect(words({ hasRls: false })).toEqual([
      '[anon] may select, insert, update and delete all rows, because row-level security is off and grants allow everything.',
    ]);
    expect(words({}, 1)[0]).toContain('because it bypasses row-level security');
  });

  it('has a sentence for each statement with its condition', () => {
    const policies = [
      policy({ command: 'select' }),
      policy({ name: 'open', command: 'insert', using: null, check: 'true' }),
      policy({ name: 'change', command: 'update', check: '(title is not null)' }),
    ];
    expect(words({ policies })).toEqual([
      '[anon] may select rows where [owner = auth.uid()]',
      '[anon] may insert any row, by a policy without a condition',
      '[anon] may update rows where [owner = auth.uid()], if then [title is not null]',
      '[anon] may not delete rows, because there is no policy',
    ]);
  });

  it('says that a right covers some columns only', () => {
    expect(words({ hasRls: false, rights: ['us'] })[0]).toBe(
      '[anon] may select all rows (some columns only), because row-level security is off',
    );
  });
});

describe('the matrix', () => {
  const row = matrixRowOf(
    table({ rights: ['usI', 'uSIWD'], policies: [policy({ command: 'select' })] }),
    ROLES,
  );

  it('has a cell for each role and statement', () => {
    expect(cellsOf(row, 0)).toEqual([
      { state: 'policy', isPartial: true },
      { state: 'no-policy', isPartial: false },
      { state: 'no-grant', isPartial: false },
      { state: 'no-grant', isPartial: false },
    ]);
    expect(cellsOf(row, 1).map(({ state }) => state)).toEqual(['all', 'all', 'all', 'all']);
  });

  it('calls a missing right on the schema a missing grant', () => {
    expect(stateOf({ kind: 'refused', reason: 'no-usage' })).toBe('no-grant');
  });

  it.each([
    [{ q: '', in: '', show: 'all' }, ['public.notes', 'shop.log']],
    [{ q: '', in: '*', show: 'all' }, ['public.notes', 'shop.log', 'auth.users']],
    [{ q: 'SHOP lo', in: '', show: 'all' }, ['shop.log']],
    [{ q: '', in: 'auth', show: 'all' }, ['auth.users']],
    [{ q: '', in: '*', show: 'no-rls' }, ['shop.log']],
    [{ q: '', in: '*', show: 'no-policy' }, ['auth.users']],
    [{ q: '', in: '*', show: 'open' }, ['public.notes', 'shop.log']],
  ] as const)('with the filter %j shows %j', (filter, expected) => {
    const rows = [
      row,
      matrixRowOf(table({ schema: 'shop', name: 'log', hasRls: false }), ROLES),
      matrixRowOf(table({ schema: 'auth', name: 'users', rights: ['', 'u'] }), ROLES),
    ];
    expect(filterRows(rows, filter, ['auth']).map(({ schema, name }) => `${schema}.${name}`)).toEqual(
      expected,
    );
  });
});
