/** The rights that a statement of the form needs, and that the role does not have. */
import type { TableInfo, Verb } from '../access/model.ts';
import type { StatementForm } from './statement.ts';

/** A missing right. `columns` are those that lack it; undefined: the whole table, or the schema. */
export interface MissingRight {
  right: Verb | 'usage';
  columns?: readonly string[];
}

/** The rights of a role on a column. */
type ColumnRights = { name: string } & Record<Exclude<Verb, 'delete'>, boolean>;

/** Returns the missing rights. @param rights letters of {@link TableInfo.rights} */
export function missingRights(
  rights: string,
  columns: readonly ColumnRights[],
  form: Pick<StatementForm, 'verb' | 'values' | 'returnsRows' | 'condition'>,
): MissingRight[] {
  const missing: MissingRight[] = rights.includes('u') ? [] : [{ right: 'usage' }];
  const require = (right: Exclude<Verb, 'delete'>, names: readonly string[]) => {
    const lacking = columns.filter((column) => names.includes(column.name) && !column[right]);
    if (lacking.length === 0) return;
    const isWhole = !columns.some((column) => column[right]);
    missing.push(isWhole ? { right } : { right, columns: lacking.map(({ name }) => name) });
  };
  const all = columns.map(({ name }) => name);
  if (form.verb === 'delete' && !rights.includes('D')) missing.push({ right: 'delete' });
  if (form.verb === 'insert' || form.verb === 'update') require(form.verb, Object.keys(form.values));
  if (form.verb === 'select' || form.returnsRows) require('select', all);
  // A condition reads at least one column.
  else if (form.condition.trim() !== '' && !columns.some((column) => column.select))
    missing.push({ right: 'select' });
  return missing;
}
