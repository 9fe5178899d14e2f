import { expect, it } from 'vitest';
import { schemaOfType } from './schema-type.ts';

it.each([
  ['boolean', { type: 'boolean', format: 'boolean' }],
  ['smallint', { type: 'integer', format: 'int32' }],
  ['integer', { type: 'integer', format: 'int32' }],
  ['bigint', { type: 'integer', format: 'int64' }],
  ['numeric', { type: 'number', format: 'numeric' }],
  ['real', { type: 'number', format: 'real' }],
  ['double precision', { type: 'number', format: 'double precision' }],
  ['json', { format: 'json' }],
  ['jsonb', { format: 'jsonb' }],
  ['character varying', { type: 'string', format: 'character varying' }],
  ['timestamp with time zone', { type: 'string', format: 'timestamp with time zone' }],
  ['library.genre', { type: 'string', format: 'library.genre' }],
  ['bigint[]', { type: 'array', format: 'bigint[]', items: { type: 'integer' } }],
  ['text[]', { type: 'array', format: 'text[]', items: { type: 'string' } }],
  ['jsonb[]', { type: 'array', format: 'jsonb[]', items: {} }],
  ['constructor', { type: 'string', format: 'constructor' }],
])('maps the type %s to %j', (type, schema) => {
  expect(schemaOfType(type)).toEqual(schema);
});
