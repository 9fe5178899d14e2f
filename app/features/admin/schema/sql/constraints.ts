/** Constraints: form → SQL. */
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { StructureContext } from '../definition.ts';
import { missingOf, type Planner, plan, planWithout, type SchemaPlan } from './plan.ts';
import { cascadeOf, nameOf, tableOf } from './tables.ts';
import { chosenOf, type FormValues, isChecked, linesOf, textOf } from './values.ts';

/** What happens with rows that refer to a changed or deleted one. */
export const REFERENTIAL_ACTIONS = ['no action', 'restrict', 'cascade', 'set null', 'set default'] as const;

/** Returns names as a list in parentheses. */
function columnList(columns: readonly string[]): string {
  return `(${columns.map(quoteIdentifier).join(', ')})`;
}

/** A primary key, or a unique constraint. */
export const addKey: Planner = (values, context) => {
  const columns = chosenOf(values, 'columns');
  const kind = textOf(values, 'kind') === 'primary' ? 'primary key' : 'unique';
  const missing = missingOf({ columns });
  if (missing.length > 0) return planWithout('add key', missing);
  const nulls = kind === 'unique' && isChecked(values, 'nulls_not_distinct') ? ' nulls not distinct' : '';
  return addConstraint(values, context, {
    name: defaultName(context, kind === 'unique' ? `${columns.join('_')}_key` : 'pkey'),
    clause: `${kind}${nulls} ${columnList(columns)}`,
  });
};

/** A foreign key. */
export const addForeignKey: Planner = (values, context) => {
  const columns = chosenOf(values, 'columns');
  const target = textOf(values, 'target');
  const missing = missingOf({ columns, target });
  if (missing.length > 0) return planWithout('add foreign key', missing);
  const targetColumns = linesOf(values, 'target_columns')
    .flatMap((line) => line.split(','))
    .map((name) => name.trim());
  const targetSchema = textOf(values, 'target_schema') || context.schema;
  const references = `references ${quoteQualified(targetSchema, target)}`;
  return addConstraint(values, context, {
    name: defaultName(context, `${columns.join('_')}_fkey`),
    clause: [
      `foreign key ${columnList(columns)}`,
      targetColumns.length > 0 ? `${references} ${columnList(targetColumns)}` : references,
      actionClause('update', textOf(values, 'on_update')),
      actionClause('delete', textOf(values, 'on_delete')),
      isChecked(values, 'deferrable') ? 'deferrable initially deferred' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  });
};

function actionClause(event: string, action: string): string {
  const isKnown = (REFERENTIAL_ACTIONS as readonly string[]).includes(action) && action !== 'no action';
  return isKnown ? `on ${event} ${action}` : '';
}

/** A condition that all rows satisfy. */
export const addCheck: Planner = (values, context) => {
  const expression = textOf(values, 'expression');
  const missing = missingOf({ expression });
  if (missing.length > 0) return planWithout('add check', missing);
  const isUnchecked = isChecked(values, 'not_valid');
  return addConstraint(values, context, {
    name: defaultName(context, 'check'),
    clause: `check (${expression})${isUnchecked ? ' not valid' : ''}`,
  });
};

function defaultName({ table }: StructureContext, end: string): string {
  return `${table?.name ?? ''}_${end}`.slice(0, 63);
}

function addConstraint(
  values: FormValues,
  context: StructureContext,
  { name: proposed, clause }: { name: string; clause: string },
): SchemaPlan {
  const table = tableOf(context);
  const name = textOf(values, 'name') || proposed;
  const target = `alter table ${nameOf(table)}`;
  return plan(
    `add ${name} to ${table.name}`,
    [`${target} add constraint ${quoteIdentifier(name)} ${clause};`],
    [`${target} drop constraint ${quoteIdentifier(name)};`],
  );
}

/** Any constraint. Those that depend on it, such as foreign keys on a primary key, are lost. */
export const dropConstraint: Planner = (values, context) => {
  const table = tableOf(context);
  const constraint = table.constraints.find(({ name }) => name === context.object);
  const target = `alter table ${nameOf(table)}`;
  const name = quoteIdentifier(context.object);
  const cascade = cascadeOf(values);
  return plan(
    `drop ${context.object} of ${table.name}`,
    [`${target} drop constraint ${name}${cascade};`],
    constraint && cascade === '' ? [`${target} add constraint ${name} ${constraint.definition};`] : null,
  );
};
