/** Extensions: form → SQL. */
import { quoteIdentifier } from '../../shared/sql-identifier.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { cascadeOf } from './tables.ts';
import { textOf } from './values.ts';

/** Installs an extension. */
export const createExtension: Planner = (values, { object }) => {
  const missing = missingOf({ object });
  if (missing.length > 0) return planWithout('create extension', missing);
  const schema = textOf(values, 'schema');
  const target = schema === '' ? '' : ` with schema ${quoteIdentifier(schema)}`;
  return plan(
    `create extension ${object}`,
    [`create extension ${quoteIdentifier(object)}${target};`],
    [`drop extension ${quoteIdentifier(object)};`],
  );
};

/** Removes an extension with its objects. */
export const dropExtension: Planner = (values, { object, objects }) => {
  const schema = objects.extensions.find(({ name }) => name === object)?.schema ?? null;
  const target = schema === null ? '' : ` with schema ${quoteIdentifier(schema)}`;
  const cascade = cascadeOf(values);
  return plan(
    `drop extension ${object}`,
    [`drop extension ${quoteIdentifier(object)}${cascade};`],
    cascade === '' ? [`create extension ${quoteIdentifier(object)}${target};`] : null,
  );
};
