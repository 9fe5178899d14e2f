/** Fields: a column of a row, or what is at the end of a path into its JSON value. */
import type { PlannedField, PlannedStep } from '../plan/read-node.ts';
import { type Fragment, name, parameter, qualified, sql } from './sql.ts';

/**
 * A field of the rows with an alias. A name with the alias before it may also be a function of the row: that is how
 * computed fields are read.
 */
export function fieldSql(alias: string, field: PlannedField): Fragment {
  const { rowType } = field;
  // Rows that were written or returned are of no type, and the function may have overloads.
  const column =
    rowType === undefined
      ? name(alias, field.name)
      : sql`(${name(alias)}.*::${qualified(rowType)}).${name(field.name)}`;
  if (field.path.length === 0) return column;
  const start = isJson(field) ? column : sql`to_jsonb(${column})`;
  return sql`(${field.path.reduce(stepSql, start)})`;
}

/** These have arrows of their own; if they were converted, no index of theirs would serve. */
function isJson({ column }: PlannedField): boolean {
  return column?.baseType === 'json' || column?.baseType === 'jsonb';
}

/** The type of the operand selects the operator: each arrow exists for keys and for indexes. */
function stepSql(before: Fragment, { arrow, kind, slot }: PlannedStep): Fragment {
  const operand = kind === 'key' ? sql`${parameter(slot)}::text` : sql`${parameter(slot)}::int`;
  return arrow === '->' ? sql`${before}->${operand}` : sql`${before}->>${operand}`;
}
