/** Tables and schemas: form → SQL. */
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { StructureContext, TableDefinition } from '../definition.ts';
import { columnClauses } from './columns.ts';
import { quoteLiteral } from './literal.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { type FormValues, isChecked, textOf } from './values.ts';

/** Names of the fields of a column in the form of a new table: `c0.name`, `c1.name` … */
const ROW_FIELD = /^c(\d+)\.name$/;

/** Returns the table of a context. Throws without one: only forms of tables call it. */
export function tableOf({ table }: StructureContext): TableDefinition {
  if (table === undefined) throw new TypeError('The form needs a table.');
  return table;
}

/** Returns the quoted name of a table with its schema. */
export function nameOf({ schema, name }: Pick<TableDefinition, 'schema' | 'name'>): string {
  return quoteQualified(schema, name);
}

/** Returns the statement that sets a comment. */
function commentOn(object: string, comment: string | null): string {
  return `comment on ${object} is ${comment ? quoteLiteral(comment) : 'null'};`;
}

/** A new table with its columns. */
export const createTable: Planner = (values, { schema }) => {
  const name = textOf(values, 'name');
  const rows = rowsOf(values);
  const missing = missingOf({ name });
  if (missing.length > 0) return planWithout('create table', missing);
  const table = quoteQualified(schema, name);
  const keys = rows
    .filter((row) => isChecked(values, `${row}.primary`))
    .map((row) => textOf(values, `${row}.name`));
  const lines = [
    ...rows.map((row) => columnClauses(columnOfRow(values, row))),
    ...(keys.length > 0 ? [`primary key (${keys.map(quoteIdentifier).join(', ')})`] : []),
  ];
  const comment = textOf(values, 'comment');
  return plan(
    `create table ${name}`,
    [
      lines.length > 0
        ? `create table ${table} (\n  ${lines.join(',\n  ')}\n);`
        : `create table ${table} ();`,
      isChecked(values, 'row_security') ? `alter table ${table} enable row level security;` : undefined,
      comment === '' ? undefined : commentOn(`table ${table}`, comment),
    ],
    [`drop table ${table};`],
  );
};

/** Returns the prefixes of the columns that have a name, in their order. */
function rowsOf(values: FormValues): string[] {
  return Object.keys(values)
    .flatMap((key) => ROW_FIELD.exec(key)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => `c${number}`)
    .filter((row) => textOf(values, `${row}.name`) !== '');
}

function columnOfRow(values: FormValues, row: string) {
  const identity = textOf(values, `${row}.identity`);
  return {
    name: textOf(values, `${row}.name`),
    type: textOf(values, `${row}.type`) || 'text',
    default: textOf(values, `${row}.default`),
    isNotNull: isChecked(values, `${row}.not_null`),
    identity,
    generated: '',
    isUnique: false,
  };
}

/** Name, schema and comment of a table. */
export const alterTable: Planner = (values, context) => {
  const table = tableOf(context);
  const name = textOf(values, 'name');
  const missing = missingOf({ name });
  if (missing.length > 0) return planWithout('alter table', missing);
  const schema = textOf(values, 'schema') || table.schema;
  const comment = textOf(values, 'comment');
  const hasComment = comment !== (table.comment ?? '');
  const isMoved = schema !== table.schema;
  const isRenamed = name !== table.name;
  const moved = { schema, name: table.name };
  const final = { schema, name };
  return plan(
    `alter table ${table.name}`,
    [
      hasComment ? commentOn(`table ${nameOf(table)}`, comment) : undefined,
      isMoved ? `alter table ${nameOf(table)} set schema ${quoteIdentifier(schema)};` : undefined,
      isRenamed ? `alter table ${nameOf(moved)} rename to ${quoteIdentifier(name)};` : undefined,
    ],
    [
      isRenamed ? `alter table ${nameOf(final)} rename to ${quoteIdentifier(table.name)};` : undefined,
      isMoved ? `alter table ${nameOf(moved)} set schema ${quoteIdentifier(table.schema)};` : undefined,
      hasComment ? commentOn(`table ${nameOf(table)}`, table.comment) : undefined,
    ],
  );
};

/** A table with its rows. */
export const dropTable: Planner = (values, context) => {
  const table = tableOf(context);
  return plan(`drop table ${table.name}`, [`drop table ${nameOf(table)}${cascadeOf(values)};`], null);
};

/** Returns the end of a statement that drops an object. */
export function cascadeOf(values: FormValues): string {
  return isChecked(values, 'cascade') ? ' cascade' : '';
}

/** Row-level security of a table. */
export const changeRowSecurity: Planner = (values, context) => {
  const table = tableOf(context);
  const isEnabled = isChecked(values, 'row_security');
  const isForced = isChecked(values, 'force_row_security');
  const enable = (is: boolean) =>
    `alter table ${nameOf(table)} ${is ? 'enable' : 'disable'} row level security;`;
  const force = (is: boolean) => `alter table ${nameOf(table)} ${is ? '' : 'no '}force row level security;`;
  const changesEnabled = isEnabled !== table.has_row_security;
  const changesForced = isForced !== table.forces_row_security;
  return plan(
    `${isEnabled ? 'enable' : 'disable'} row level security of ${table.name}`,
    [changesEnabled ? enable(isEnabled) : undefined, changesForced ? force(isForced) : undefined],
    [
      changesEnabled ? enable(table.has_row_security) : undefined,
      changesForced ? force(table.forces_row_security) : undefined,
    ],
  );
};

/** A new schema. */
export const createSchema: Planner = (values) => {
  const name = textOf(values, 'name');
  const missing = missingOf({ name });
  if (missing.length > 0) return planWithout('create schema', missing);
  return plan(
    `create schema ${name}`,
    [`create schema ${quoteIdentifier(name)};`],
    [`drop schema ${quoteIdentifier(name)};`],
  );
};
