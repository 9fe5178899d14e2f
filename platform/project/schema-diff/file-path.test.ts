import type { StableId } from '@supabase/pg-delta/core';
import { expect, it } from 'vitest';
import { filePathOf } from './file-path.ts';

const TABLE: StableId = { kind: 'table', schema: 'public', name: 'notes' };

it.each<[string, StableId | undefined, string]>([
  ['a table', TABLE, 'public/tables/notes.sql'],
  ['a column', { kind: 'column', schema: 'a', table: 't', name: 'id' }, 'a/tables/t.sql'],
  ['a comment', { kind: 'comment', target: TABLE }, 'public/tables/notes.sql'],
  ['a grant', { kind: 'acl', target: TABLE, grantee: 'anon' }, 'public/tables/notes.sql'],
  ['an attribute of a type', { kind: 'typeAttribute', schema: 'a', type: 'b', name: 'c' }, 'a/types/b.sql'],
  ['a schema', { kind: 'schema', name: 'app' }, 'app/schema.sql'],
  ['a schema with the name of the folder', { kind: 'schema', name: '_cluster' }, '%_cluster/schema.sql'],
  ['an extension', { kind: 'extension', name: 'citext' }, '_cluster/extensions/citext.sql'],
  ['a server', { kind: 'server', name: 'other' }, '_cluster/servers.sql'],
  ['a name with a separator', { kind: 'table', schema: '..', name: 'a/b\\c' }, '%../tables/a%2Fb%5Cc.sql'],
  ['nothing', undefined, '_cluster/other.sql'],
])('filePathOf returns the file of %s', (_, id, expected) => {
  expect(filePathOf(id)).toBe(expected);
});

it('filePathOf returns the file of the table for an index', () => {
  const index: StableId = { kind: 'index', schema: 'public', name: 'notes_title' };
  expect(filePathOf(index, TABLE)).toBe('public/tables/notes.sql');
  expect(filePathOf(index)).toBe('public/indexes/notes_title.sql');
});
