/** Indexes: form → SQL. */
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { nameOf, tableOf } from './tables.ts';
import { chosenOf, isChecked, textOf } from './values.ts';

/** Access methods of PostgreSQL itself. */
export const INDEX_METHODS = ['btree', 'hash', 'gin', 'gist', 'brin', 'spgist'] as const;

/** An index of columns, or of an expression. */
export const createIndex: Planner = (values, context) => {
  const table = tableOf(context);
  const expression = textOf(values, 'expression');
  const columns = chosenOf(values, 'columns');
  const keys = [...columns.map(quoteIdentifier), ...(expression === '' ? [] : [`(${expression})`])];
  const missing = missingOf({ columns: keys });
  if (missing.length > 0) return planWithout('create index', missing);
  const proposed = [table.name, ...columns, ...(expression === '' ? [] : ['expr']), 'idx']
    .join('_')
    .slice(0, 63);
  const name = textOf(values, 'name') || proposed;
  const chosen = textOf(values, 'method');
  const method = INDEX_METHODS.find((known) => known === chosen) ?? 'btree';
  const where = textOf(values, 'where');
  const concurrently = isChecked(values, 'concurrently') ? 'concurrently ' : '';
  const unique = isChecked(values, 'unique') ? 'unique ' : '';
  const condition = where === '' ? '' : ` where (${where})`;
  return plan(
    `create index ${name}`,
    [
      `create ${unique}index ${concurrently}${quoteIdentifier(name)} on ${nameOf(table)} using ${method} (${keys.join(', ')})${condition};`,
    ],
    [`drop index ${quoteQualified(table.schema, name)};`],
  );
};

/** An index that belongs to no constraint. */
export const dropIndex: Planner = (values, context) => {
  const table = tableOf(context);
  const index = table.indexes.find(({ name }) => name === context.object);
  const concurrently = isChecked(values, 'concurrently') ? 'concurrently ' : '';
  return plan(
    `drop index ${context.object}`,
    [`drop index ${concurrently}${quoteQualified(table.schema, context.object)};`],
    index ? [`${index.definition};`] : null,
  );
};
