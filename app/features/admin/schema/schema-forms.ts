/** The forms that change objects of a schema, or of the database. */
import type { StructureContext } from './definition.ts';
import { cascade, check, type SchemaForm, select, text } from './schema-form.ts';
import { addEnumValue, createEnum, dropEnum, renameEnumValue } from './sql/enums.ts';
import { createExtension, dropExtension } from './sql/extensions.ts';
import {
  alterFunction,
  createFunction,
  dropFunction,
  FUNCTION_BEHAVIORS,
  FUNCTION_LANGUAGES,
} from './sql/functions.ts';
import { createPublication, dropPublication, PUBLICATION_OPERATIONS } from './sql/publications.ts';
import { createSchema, createTable } from './sql/tables.ts';

/** By name. */
export const SCHEMA_FORMS = {
  'schema.create': { plan: createSchema, fields: () => [text('name')] },
  'table.create': {
    plan: createTable,
    fields: () => [text('name'), { kind: 'columns' }, check('row_security', true), text('comment')],
  },
  'publication.create': {
    plan: createPublication,
    fields: ({ objects }) => [
      text('name'),
      { kind: 'choices', name: 'tables', options: objects.tables.map(({ name }) => name) },
      {
        kind: 'choices',
        name: 'operations',
        options: PUBLICATION_OPERATIONS,
        chosen: PUBLICATION_OPERATIONS,
      },
    ],
  },
  'publication.drop': { plan: dropPublication, basis: 'publication', fields: () => [] },
  'enum.create': { plan: createEnum, fields: () => [text('name'), { kind: 'area', name: 'values' }] },
  'enum.add_value': {
    plan: addEnumValue,
    basis: 'enum',
    fields: (context) => [text('value'), select('before', ['', ...valuesOfEnum(context)])],
  },
  'enum.rename_value': {
    plan: renameEnumValue,
    basis: 'enum',
    fields: (context) => [select('from', valuesOfEnum(context)), text('to')],
  },
  'enum.drop': { plan: dropEnum, basis: 'enum', drops: 'enum', asksForName: true, fields: cascade },
  'function.create': {
    plan: createFunction,
    fields: () => [
      text('name'),
      text('arguments'),
      text('returns', 'trigger'),
      select('language', FUNCTION_LANGUAGES),
      select('behavior', FUNCTION_BEHAVIORS),
      check('security_definer'),
      { kind: 'code', name: 'body', value: 'begin\n  return new;\nend' },
    ],
  },
  'function.alter': {
    plan: alterFunction,
    basis: 'function',
    fields: ({ routine }) => [
      { kind: 'code', name: 'body', value: routine?.body.replace(/^\n/, '') ?? '' },
      select('behavior', FUNCTION_BEHAVIORS, routine?.behavior),
      check('security_definer', routine?.is_security_definer),
    ],
  },
  'function.drop': {
    plan: dropFunction,
    basis: 'function',
    drops: 'function',
    asksForName: true,
    fields: cascade,
  },
  'extension.create': {
    plan: createExtension,
    basis: 'extension',
    fields: ({ objects }) => [select('schema', objects.schemas, 'extensions')],
  },
  'extension.drop': {
    plan: dropExtension,
    basis: 'extension',
    drops: 'extension',
    asksForName: true,
    fields: cascade,
  },
} as const satisfies Record<string, SchemaForm>;

function valuesOfEnum({ objects, object }: StructureContext): readonly string[] {
  return objects.enums.find(({ name }) => name === object)?.values ?? [];
}
