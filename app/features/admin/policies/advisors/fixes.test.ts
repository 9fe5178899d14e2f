import { describe, expect, it } from 'vitest';
import type { PolicyDefinition } from '../access/model.ts';
import { fixOf, isFixable } from './fixes.ts';
import { wrapCalls } from './wrap-calls.ts';

describe('wrapCalls', () => {
  it.each([
    ['(auth.uid() = owner)', '((select auth.uid()) = owner)'],
    ['(( SELECT auth.uid() AS uid) = owner)', '(( SELECT auth.uid() AS uid) = owner)'],
    [
      "((auth.jwt() ->> 'role'::text) = current_setting('a.b'::text, true))",
      "(((select auth.jwt()) ->> 'role'::text) = (select current_setting('a.b'::text, true)))",
    ],
    [
      '(EXISTS ( SELECT 1 FROM teams t WHERE (t.owner = auth.uid())))',
      '(EXISTS ( SELECT 1 FROM teams t WHERE (t.owner = (select auth.uid()))))',
    ],
    ["(title = 'auth.uid()')", "(title = 'auth.uid()')"],
    ['true', 'true'],
  ])('turns %s into %s', (expression, wrapped) => {
    expect(wrapCalls(expression)).toBe(wrapped);
    expect(wrapCalls(wrapped)).toBe(wrapped);
  });
});

describe('fixOf', () => {
  const object = { schema: 'shop', name: 'no"tes' };

  it.each([
    ['rls_disabled_in_public', object, {}, 'alter table "shop"."no""tes" enable row level security;'],
    ['security_definer_view', object, {}, 'alter view "shop"."no""tes" set (security_invoker = on);'],
    [
      'unindexed_foreign_keys',
      object,
      { columns: ['a', 'B"'] },
      'create index on "shop"."no""tes" ("a", "B""");',
    ],
    [
      'duplicate_index',
      { ...object, indexes: ['a', 'b', 'key'] },
      { constraintIndexes: ['key'] },
      'drop index "shop"."a";\ndrop index "shop"."b";',
    ],
    ['duplicate_index', { ...object, indexes: ['a', 'b'] }, {}, 'drop index "shop"."b";'],
    ['duplicate_index', { ...object, indexes: ['a', 'b'] }, { constraintIndexes: ['a', 'b'] }, undefined],
    ['invalid_index', { ...object, index_name: 'x' }, {}, 'drop index "shop"."x";'],
    [
      'function_search_path_mutable',
      { schema: 'shop', name: 'f', arguments: 'a integer' },
      {},
      'alter routine "shop"."f"(a integer)\n  set search_path = "shop", "public", "extensions", "pg_temp";',
    ],
    ['auth_rls_initplan', object, {}, undefined],
    ['unused_index', { ...object, index_name: 'x' }, {}, undefined],
  ])('for %s of %j with %j is %j', (name, metadata, details, sql) => {
    expect(fixOf({ name, metadata }, details)).toBe(sql);
  });

  it('for auth_rls_initplan changes only the conditions of the policy', () => {
    const policy: PolicyDefinition = {
      ...{ name: 'own', isPermissive: true, roles: ['public'] },
      ...{ using: '(auth.uid() = owner)', check: null },
      command: 'all',
    };
    expect(fixOf({ name: 'auth_rls_initplan', metadata: object }, { policy })).toBe(
      'alter policy "own" on "shop"."no""tes"\n  using (((select auth.uid()) = owner));',
    );
  });

  it('exists for no lint whose correction could break clients', () => {
    expect(isFixable('extension_in_public')).toBe(false);
    expect(isFixable('anon_security_definer_function_executable')).toBe(false);
  });
});
