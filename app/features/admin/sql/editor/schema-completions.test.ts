import { expect, it } from 'vitest';
import { functionCompletions, schemaNamespace } from './schema-completions.ts';

const schema = {
  schemas: ['public', 'auth'],
  tables: [['public', 'notes', 'table', [['id', 'bigint']]]],
  functions: [
    ['auth', 'uid', ''],
    ['public', 'Total', 'a integer'],
    ['pg_catalog', 'now', ''],
  ],
  types: [['public', 'mood']],
} as const;

it('nests columns in tables, and tables in schemas', () => {
  expect(schemaNamespace(schema)).toEqual({
    public: {
      self: { label: 'public', type: 'namespace', detail: 'schema' },
      children: {
        notes: {
          self: { label: 'notes', type: 'type', detail: 'table' },
          children: [{ label: 'id', type: 'property', detail: 'bigint' }],
        },
      },
    },
    auth: { self: { label: 'auth', type: 'namespace', detail: 'schema' }, children: {} },
  });
});

it('quotes names of functions and types, and names the schema where it is needed', () => {
  expect(functionCompletions(schema).map(({ label, apply, info }) => [label, apply, info])).toEqual([
    ['auth.uid', 'auth.uid(', undefined],
    ['"Total"', '"Total"(', 'Total(a integer)'],
    ['now', 'now(', undefined],
    ['mood', undefined, undefined],
  ]);
});
