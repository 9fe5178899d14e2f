/** SQL of fields: a column of a row, or a path into its JSON value. */
import type { PlannedField, PlannedStep } from '../plan/read-node.ts';
import { type Fragment, name, parameter, qualified, sql } from './sql.ts';

/**
 * Returns the SQL of a field. `alias.name` may also call a function with the row as its argument, which is how computed
 * fields are read.
 */
export function fieldSql(alias: string, field: PlannedField): Fragment {
  const { rowType } = field;
  // Rows of a write or a call have no named type, so the cast selects the overload of the function.
  const column =
    rowType === undefined
      ? name(alias, field.name)
      : sql`(${name(alias)}.*::${qualified(rowType)}).${name(field.name)}`;
  if (field.path.length === 0) return column;
  const start = isJson(field) ? column : sql`to_jsonb(${column})`;
  return sql`(${field.path.reduce(stepSql, start)})`;
}

/** json and jsonb support arrows directly. Converting them would prevent the use of an index. */
function isJson({ column }: PlannedField): boolean {
  return column?.baseType === 'json' || column?.baseType === 'jsonb';
}

/**
 * The type of the operand selects the operator: each arrow exists for keys (text) and for array indexes (int). PostgreSQL
 * reads an operand of unknown type as text; if there is no operator, its message names the type unknown, as in PostgREST.
 */
function stepSql(before: Fragment, { arrow, kind, slot }: PlannedStep): Fragment {
  const operand = kind === 'key' ? parameter(slot) : sql`${parameter(slot)}::int`;
  return arrow === '->' ? sql`${before}->${operand}` : sql`${before}->>${operand}`;
}
