/** Enumerated types: form → SQL. */
import { quoteQualified } from '../../shared/sql-identifier.ts';
import type { StructureContext } from '../definition.ts';
import { quoteLiteral } from './literal.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { cascadeOf } from './tables.ts';
import { linesOf, textOf } from './values.ts';

/** A new type with its values. */
export const createEnum: Planner = (values, { schema }) => {
  const name = textOf(values, 'name');
  const labels = [...new Set(linesOf(values, 'values'))];
  const missing = missingOf({ name, values: labels });
  if (missing.length > 0) return planWithout('create type', missing);
  const type = quoteQualified(schema, name);
  return plan(
    `create type ${name}`,
    [`create type ${type} as enum (${labels.map(quoteLiteral).join(', ')});`],
    [`drop type ${type};`],
  );
};

/** A further value. PostgreSQL cannot remove it again. */
export const addEnumValue: Planner = (values, context) => {
  const value = textOf(values, 'value');
  const missing = missingOf({ value });
  if (missing.length > 0) return planWithout('add value', missing);
  const before = textOf(values, 'before');
  const place = before === '' ? '' : ` before ${quoteLiteral(before)}`;
  return plan(
    `add ${value} to ${context.object}`,
    [`alter type ${typeOf(context)} add value ${quoteLiteral(value)}${place};`],
    null,
  );
};

/** Another name for a value; rows that have it have the new one. */
export const renameEnumValue: Planner = (values, context) => {
  const from = textOf(values, 'from');
  const to = textOf(values, 'to');
  const missing = missingOf({ from, to });
  if (missing.length > 0) return planWithout('rename value', missing);
  const rename = (former: string, next: string) =>
    `alter type ${typeOf(context)} rename value ${quoteLiteral(former)} to ${quoteLiteral(next)};`;
  return plan(`rename ${from} of ${context.object}`, from === to ? [] : [rename(from, to)], [
    rename(to, from),
  ]);
};

/** A type. With `cascade`: with the columns that have it. */
export const dropEnum: Planner = (values, context) => {
  const found = context.objects.enums.find(({ name }) => name === context.object);
  const cascade = cascadeOf(values);
  const type = typeOf(context);
  return plan(
    `drop type ${context.object}`,
    [`drop type ${type}${cascade};`],
    found && cascade === ''
      ? [`create type ${type} as enum (${found.values.map(quoteLiteral).join(', ')});`]
      : null,
  );
};

function typeOf({ schema, object }: StructureContext): string {
  return quoteQualified(schema, object);
}
