/** Decides which columns of a change a role may read and filter by. Pure. */
import type { RowChange } from '../replication/pgoutput.ts';
import type { TableRights } from './rights.ts';

/** Columns of a change by name, only those that are the same now. `number` is `pg_attribute.attnum`. */
type Columns = ReadonlyMap<string, { number: number }>;

/** Whether the role may select a column of a change. */
export function isReadable(name: string, { selectable }: TableRights, columns: Columns): boolean {
  const column = columns.get(name);
  return column !== undefined && selectable.get(name)?.number === column.number;
}

/**
 * Returns a test whether a filter may evaluate a column of a change. If no policy can be evaluated for the row, because
 * it is deleted or cannot be found by its key, a filter may use only columns that the subscriber receives anyway: the
 * primary key of a deleted row.
 * @param isWithheld whether the change is delivered without values
 */
export function filterableColumns(
  type: RowChange['type'],
  rights: TableRights,
  columns: Columns,
  isWithheld: boolean,
): (column: string) => boolean {
  const isUnchecked = rights.hasRls && !rights.bypassesRls && (type === 'DELETE' || isWithheld);
  const received = isWithheld ? [] : rights.primaryKey;
  return (column) => isReadable(column, rights, columns) && (!isUnchecked || received.includes(column));
}
