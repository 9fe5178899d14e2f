import { describe, expect, it } from 'vitest';
import type { PolicyDefinition } from '../access/model.ts';
import { baseOf, problemOf, readBase, readDraft, shownPolicy } from './draft.ts';
import { changePolicySql, createPolicySql, dropPolicySql, oppositeOf, rlsSql } from './policy-sql.ts';
import { TEMPLATES, templateFor, templatesFor } from './templates.ts';

const TABLE = { schema: 'my shop', name: 'no"tes' };
const own: PolicyDefinition = {
  ...{ name: 'Own "rows"', command: 'all', isPermissive: true, roles: ['authenticated', 'public'] },
  ...{ using: 'a', check: 'b' },
};

describe('createPolicySql', () => {
  it('quotes names, keeps the keyword public, and has all clauses', () => {
    expect(createPolicySql(TABLE, own)).toBe(
      `create policy "Own ""rows""" on "my shop"."no""tes"
  as permissive
  for all
  to "authenticated", public
  using (a)
  with check (b);`,
    );
  });

  it.each([
    ['select', true, false],
    ['insert', false, true],
    ['update', true, true],
    ['delete', true, false],
  ] as const)('for %s has using: %s, with check: %s', (command, hasUsing, hasCheck) => {
    const sql = createPolicySql(TABLE, { ...own, command });
    expect([sql.includes('  using (a)'), sql.includes('  with check (b)')]).toEqual([hasUsing, hasCheck]);
  });
});

describe('changePolicySql', () => {
  const change = (to: Partial<PolicyDefinition>) => changePolicySql(TABLE, own, { ...own, ...to });

  it.each<[string, Partial<PolicyDefinition>, string]>([
    ['nothing', {}, ''],
    ['the order of roles', { roles: ['public', 'authenticated'] }, ''],
    ['a condition', { using: 'c' }, 'alter policy "Own ""rows""" on "my shop"."no""tes"\n  using (c);'],
    ['roles', { roles: ['anon'] }, 'alter policy "Own ""rows""" on "my shop"."no""tes"\n  to "anon";'],
    ['the name', { name: 'x' }, 'alter policy "Own ""rows""" on "my shop"."no""tes" rename to "x";'],
  ])('for a change of %s alters the policy', (_, to, sql) => {
    expect(change(to)).toBe(sql);
  });

  it.each<[string, Partial<PolicyDefinition>]>([
    ['the command', { command: 'update' }],
    ['the kind', { isPermissive: false }],
    ['a removed condition', { check: null }],
  ])('for a change of %s replaces the policy', (_, to) => {
    expect(change(to)).toBe(`${dropPolicySql(TABLE, own)}\n${createPolicySql(TABLE, { ...own, ...to })}`);
  });
});

describe('rlsSql', () => {
  it.each(['enable', 'disable', 'force', 'no force'] as const)(
    'can %s row-level security, and undo it',
    (change) => {
      expect(rlsSql(TABLE, change)).toBe(`alter table "my shop"."no""tes" ${change} row level security;`);
      expect(oppositeOf(oppositeOf(change))).toBe(change);
    },
  );
});

describe('a draft', () => {
  const form = (fields: Record<string, string>, roles = ['anon']) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    for (const role of roles) data.append('roles', role);
    return data;
  };

  it('is read from a form with the line breaks of SQL', () => {
    expect(
      readDraft(form({ name: ' a ', command: 'select', permissive: 'false', using: ' a\r\nb ', check: '' })),
    ).toEqual({
      ...{ name: 'a', command: 'select', isPermissive: false, roles: ['anon'], using: 'a\nb', check: null },
    });
  });

  it.each<[Partial<PolicyDefinition>, string | undefined]>([
    [{}, undefined],
    [{ name: '' }, 'name'],
    [{ name: 'ä'.repeat(32) }, 'name-length'],
    [{ roles: [] }, 'roles'],
    [{ command: 'select', using: null }, 'using'],
    [{ command: 'insert', check: null }, 'check'],
    [{ using: null, check: null }, 'clauses'],
    [{ using: null }, undefined],
  ])('with %j has the problem %s', (change, problem) => {
    expect(problemOf({ ...own, ...change })).toBe(problem);
  });

  it('keeps the definition that it was based on, whatever the order of roles', () => {
    expect(readBase(baseOf(own))).toEqual(own);
    expect(baseOf({ ...own, roles: ['public', 'authenticated'] })).toBe(baseOf(own));
    expect(baseOf({ ...own, using: 'c' })).not.toBe(baseOf(own));
    expect(readBase('nonsense')).toBeUndefined();
  });

  it('shows expressions without outer parentheses', () => {
    expect(shownPolicy({ ...own, using: '((a = 1))', check: null })).toMatchObject({
      using: 'a = 1',
      check: null,
    });
  });
});

describe('templates', () => {
  it('use the columns of the table, and have no problem', () => {
    const columns = [
      { name: 'id', type: 'uuid' },
      { name: 'Org', type: 'uuid' },
      { name: 'created_by', type: 'uuid' },
    ];
    for (const id of TEMPLATES) expect(problemOf(templateFor(id, columns)), id).toBeUndefined();
    expect(templateFor('own-rows', columns).using).toBe('(select auth.uid()) = created_by');
    expect(templateFor('own-rows', columns.slice(0, 2)).using).toBe('(select auth.uid()) = "Org"');
  });

  it('for folders are offered for storage.objects only', () => {
    expect(templatesFor({ schema: 'storage', name: 'objects' })).toContain('own-folder');
    expect(templatesFor(TABLE)).not.toContain('own-folder');
  });
});
