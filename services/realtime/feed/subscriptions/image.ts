/** Reads the values of a change that filters compare. Pure. */
import { type RowChange, TOO_LARGE } from '../replication/pgoutput.ts';

/** Returns a value of the new row, or of the old row for DELETE; undefined if the log does not contain it. */
export function imageValue(change: RowChange, column: string): string | null | undefined {
  const { type, relation, record, oldRecord, isOldComplete } = change;
  const index = relation.columns.findIndex(({ name }) => name === column);
  if (type === 'DELETE' && !isOldComplete && !relation.columns[index]?.isKey) return undefined;
  const value = (type === 'DELETE' ? oldRecord : record)?.[index];
  return value === TOO_LARGE ? undefined : value;
}
