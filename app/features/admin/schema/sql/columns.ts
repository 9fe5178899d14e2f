/** Columns: form → SQL. */
import { quoteIdentifier } from '../../shared/sql-identifier.ts';
import type { ColumnDefinition, StructureContext } from '../definition.ts';
import { quoteLiteral } from './literal.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { type FormValues, isChecked, textOf } from './values.ts';

/** A new column. Empty texts are absent. */
interface NewColumn {
  name: string;
  type: string;
  default: string;
  isNotNull: boolean;
  /** `always` or `by default`. */
  identity: string;
  generated: string;
  isUnique: boolean;
}

const IDENTITIES: readonly string[] = ['always', 'by default'];

/** Returns the text of a column in `create table` and `add column`. */
export function columnClauses(column: NewColumn): string {
  const { name, type, generated, isNotNull, isUnique } = column;
  return [
    `${quoteIdentifier(name)} ${type}`,
    isNotNull ? 'not null' : '',
    generated === '' ? '' : `generated always as (${generated}) stored`,
    identityClause(column.identity),
    generated === '' && column.default !== '' ? `default ${column.default}` : '',
    isUnique ? 'unique' : '',
  ]
    .filter((clause) => clause !== '')
    .join(' ');
}

function identityClause(identity: string): string {
  return IDENTITIES.includes(identity) ? `generated ${identity} as identity` : '';
}

/** A new column of a table. */
export const addColumn: Planner = (values, context) => {
  const { table, target } = targetOf(context);
  const column = {
    name: textOf(values, 'name'),
    type: textOf(values, 'type'),
    default: textOf(values, 'default'),
    isNotNull: isChecked(values, 'not_null'),
    identity: textOf(values, 'identity'),
    generated: textOf(values, 'generated'),
    isUnique: isChecked(values, 'unique'),
  };
  const { name, type } = column;
  const missing = missingOf({ name, type });
  if (missing.length > 0) return planWithout(`add column to ${table.name}`, missing);
  const comment = textOf(values, 'comment');
  return plan(
    `add column ${name} to ${table.name}`,
    [
      `alter table ${target} add column ${columnClauses(column)};`,
      comment === '' ? undefined : columnComment(target, name, comment),
    ],
    [`alter table ${target} drop column ${quoteIdentifier(name)};`],
  );
};

function targetOf({ table, schema, object }: StructureContext) {
  if (table === undefined) throw new TypeError('The form needs a table.');
  const column = table.columns.find(({ name }) => name === object);
  return { table, column, target: `${quoteIdentifier(schema)}.${quoteIdentifier(table.name)}` };
}

function columnComment(target: string, column: string, comment: string | null): string {
  const text = comment ? quoteLiteral(comment) : 'null';
  return `comment on column ${target}.${quoteIdentifier(column)} is ${text};`;
}

/** A change with the statement that reverts it. */
interface Step {
  run: string;
  undo: string;
}

/** Name, type, default, identity and comment of a column. */
export const alterColumn: Planner = (values, context) => {
  const { table, column, target } = targetOf(context);
  const name = textOf(values, 'name');
  const type = textOf(values, 'type');
  const missing = missingOf({ name, type });
  if (column === undefined || missing.length > 0)
    return planWithout(`alter column of ${table.name}`, missing);
  const alter = `alter table ${target} alter column ${quoteIdentifier(column.name)}`;
  const steps = [
    ...generatedSteps(values, column, alter),
    ...typeSteps(values, column, alter),
    ...identitySteps(values, column, alter),
    ...notNullSteps(values, column, alter),
    ...commentSteps(values, column, target),
    ...nameSteps(name, column, target),
  ];
  const undo = steps.map((step) => step.undo).reverse();
  return plan(
    `alter column ${column.name} of ${table.name}`,
    steps.map(({ run }) => run),
    // The expression of a generated column, and values that a new type cannot hold, are lost.
    steps.some((step) => step.undo === '') ? null : undo,
  );
};

function generatedSteps(values: FormValues, { generated }: ColumnDefinition, alter: string): Step[] {
  const next = textOf(values, 'generated');
  if (generated === null || next === generated) return [];
  const run = next === '' ? `${alter} drop expression;` : `${alter} set expression as (${next});`;
  return [{ run, undo: next === '' ? '' : `${alter} set expression as (${generated});` }];
}

/** The default goes first, because it may have no cast to the new type. */
function typeSteps(values: FormValues, column: ColumnDefinition, alter: string): Step[] {
  const type = textOf(values, 'type');
  const using = textOf(values, 'using');
  const next = textOf(values, 'default');
  const former = column.default ?? '';
  const changesType = type !== column.type;
  const changesDefault = next !== former && column.generated === null;
  const drop = `${alter} drop default;`;
  const typeStep = {
    run: `${alter} type ${type}${using === '' ? '' : ` using (${using})`};`,
    undo: using === '' ? `${alter} type ${column.type};` : '',
  };
  return [
    ...(changesDefault && former !== '' ? [{ run: drop, undo: `${alter} set default ${former};` }] : []),
    ...(changesType ? [typeStep] : []),
    ...(changesDefault && next !== '' ? [{ run: `${alter} set default ${next};`, undo: drop }] : []),
  ];
}

function identitySteps(values: FormValues, { identity }: ColumnDefinition, alter: string): Step[] {
  const chosen = textOf(values, 'identity');
  const next = IDENTITIES.includes(chosen) ? chosen : null;
  if (next === identity) return [];
  return [{ run: identityStep(identity, next, alter), undo: identityStep(next, identity, alter) }];
}

function identityStep(from: string | null, to: string | null, alter: string): string {
  if (to === null) return `${alter} drop identity;`;
  return from === null ? `${alter} add generated ${to} as identity;` : `${alter} set generated ${to};`;
}

function notNullSteps(values: FormValues, column: ColumnDefinition, alter: string): Step[] {
  const isNotNull = isChecked(values, 'not_null');
  if (isNotNull === column.is_not_null) return [];
  const set = (is: boolean) => `${alter} ${is ? 'set' : 'drop'} not null;`;
  return [{ run: set(isNotNull), undo: set(!isNotNull) }];
}

function commentSteps(values: FormValues, column: ColumnDefinition, target: string): Step[] {
  const comment = textOf(values, 'comment');
  if (comment === (column.comment ?? '')) return [];
  const set = (text: string | null) => columnComment(target, column.name, text);
  return [{ run: set(comment), undo: set(column.comment) }];
}

function nameSteps(name: string, column: ColumnDefinition, target: string): Step[] {
  if (name === column.name) return [];
  const rename = (from: string, to: string) =>
    `alter table ${target} rename column ${quoteIdentifier(from)} to ${quoteIdentifier(to)};`;
  return [{ run: rename(column.name, name), undo: rename(name, column.name) }];
}

/** A column with its values. */
export const dropColumn: Planner = (values, context) => {
  const { table, target } = targetOf(context);
  const cascade = isChecked(values, 'cascade') ? ' cascade' : '';
  return plan(
    `drop column ${context.object} of ${table.name}`,
    [`alter table ${target} drop column ${quoteIdentifier(context.object)}${cascade};`],
    null,
  );
};
