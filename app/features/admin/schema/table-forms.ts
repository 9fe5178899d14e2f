/** The forms that change a table. */
import type { ColumnDefinition, StructureContext } from './definition.ts';
import type { FormField } from './form-field.ts';
import { cascade, check, type SchemaForm, select, text } from './schema-form.ts';
import { addColumn, alterColumn, dropColumn } from './sql/columns.ts';
import { addCheck, addForeignKey, addKey, dropConstraint, REFERENTIAL_ACTIONS } from './sql/constraints.ts';
import { createIndex, dropIndex, INDEX_METHODS } from './sql/indexes.ts';
import { togglePublicationTable } from './sql/publications.ts';
import { alterTable, changeRowSecurity, dropTable } from './sql/tables.ts';
import {
  createTrigger,
  dropTrigger,
  TRIGGER_EVENTS,
  TRIGGER_TIMINGS,
  toggleTrigger,
} from './sql/triggers.ts';

const IDENTITIES = ['', 'always', 'by default'];

const columnNames = ({ table }: StructureContext) => table?.columns.map(({ name }) => name) ?? [];

function columnFields(column: ColumnDefinition | undefined): FormField[] {
  return [
    text('name', column?.name),
    { kind: 'type', name: 'type', value: column?.type ?? '' },
    text('default', column?.default),
    check('not_null', column?.is_not_null),
    select('identity', IDENTITIES, column?.identity ?? ''),
  ];
}

/** By name. The definition of the table is the basis of each. */
export const TABLE_FORMS = {
  'table.alter': {
    plan: alterTable,
    basis: 'table',
    fields: ({ table, objects, schema }) => [
      text('name', table?.name),
      select('schema', objects.schemas, schema),
      text('comment', table?.comment),
    ],
  },
  'table.drop': { plan: dropTable, basis: 'table', drops: 'table', asksForName: true, fields: cascade },
  'row_security.change': {
    plan: changeRowSecurity,
    basis: 'table',
    fields: ({ table }) => [
      check('row_security', table?.has_row_security),
      check('force_row_security', table?.forces_row_security),
    ],
  },
  'column.add': {
    plan: addColumn,
    basis: 'table',
    fields: () => [...columnFields(undefined), check('unique'), text('generated'), text('comment')],
  },
  'column.alter': {
    plan: alterColumn,
    basis: 'table',
    fields: ({ table, object }) => {
      const column = table?.columns.find(({ name }) => name === object);
      return [
        ...columnFields(column),
        text('using'),
        ...(column?.generated ? [text('generated', column.generated)] : []),
        text('comment', column?.comment),
      ];
    },
  },
  'column.drop': { plan: dropColumn, basis: 'table', drops: 'column', asksForName: true, fields: cascade },
  'key.add': {
    plan: addKey,
    basis: 'table',
    fields: (context) => [
      select('kind', ['unique', 'primary']),
      { kind: 'choices', name: 'columns', options: columnNames(context) },
      text('name'),
      check('nulls_not_distinct'),
    ],
  },
  'foreign_key.add': {
    plan: addForeignKey,
    basis: 'table',
    fields: (context) => [
      { kind: 'choices', name: 'columns', options: columnNames(context) },
      select('target_schema', context.objects.schemas, context.schema),
      text('target'),
      text('target_columns'),
      select('on_delete', REFERENTIAL_ACTIONS),
      select('on_update', REFERENTIAL_ACTIONS),
      check('deferrable'),
      text('name'),
    ],
  },
  'check.add': {
    plan: addCheck,
    basis: 'table',
    fields: () => [text('expression'), text('name'), check('not_valid')],
  },
  'constraint.drop': { plan: dropConstraint, basis: 'table', drops: 'constraint', fields: cascade },
  'index.create': {
    plan: createIndex,
    basis: 'table',
    fields: (context) => [
      { kind: 'choices', name: 'columns', options: columnNames(context) },
      text('expression'),
      select('method', INDEX_METHODS),
      check('unique'),
      text('where'),
      text('name'),
      check('concurrently'),
    ],
  },
  'index.drop': { plan: dropIndex, basis: 'table', fields: () => [check('concurrently')] },
  'trigger.create': {
    plan: createTrigger,
    basis: 'table',
    fields: ({ objects }) => [
      text('name'),
      select('timing', TRIGGER_TIMINGS),
      { kind: 'choices', name: 'events', options: TRIGGER_EVENTS },
      select('level', ['row', 'statement']),
      text('when'),
      select('routine', ['', ...objects.trigger_functions]),
    ],
  },
  'trigger.toggle': { plan: toggleTrigger, basis: 'table', fields: () => [] },
  'trigger.drop': { plan: dropTrigger, basis: 'table', fields: () => [] },
  'publication.toggle': { plan: togglePublicationTable, basis: 'table', fields: () => [] },
} as const satisfies Record<string, SchemaForm>;
