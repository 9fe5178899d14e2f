import type { StableId } from '@supabase/pg-delta/core';
import { expect, it } from 'vitest';
import { columnGrantsLast } from './column-grants.ts';

const action = (sql: string, ...produces: StableId[]) => ({ sql, produces, consumes: [], destroys: [] });
const grant = (table: string, grantee: string, column?: string): StableId => ({
  kind: 'acl',
  target: { kind: 'table', schema: 'public', name: table },
  grantee,
  ...(column !== undefined && { column }),
});

it('moves a grant on a column behind the last grant on its table to the same role', () => {
  const actions = [
    action('column', grant('a', 'anon', 'id')),
    action('other column', grant('b', 'anon', 'id')),
    action('revoke', grant('a', 'anon')),
    action('other role', grant('a', 'authenticated')),
    action('grant', grant('a', 'anon')),
    action('end'),
  ];
  expect(columnGrantsLast(actions).map(({ sql }) => sql)).toEqual([
    'other column',
    'revoke',
    'other role',
    'grant',
    'column',
    'end',
  ]);
});

it('keeps the order of grants on columns', () => {
  const actions = [
    action('revoke id', grant('a', 'anon', 'id')),
    action('grant id', grant('a', 'anon', 'id')),
    action('grant', grant('a', 'anon')),
  ];
  expect(columnGrantsLast(actions).map(({ sql }) => sql)).toEqual(['grant', 'revoke id', 'grant id']);
});
