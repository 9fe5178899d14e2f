/** Values of changes. Pure. */
import { type RowChange, TOO_LARGE } from '../replication/pgoutput.ts';

/** A value of the new row, or of the image of a deleted one; undefined if the image does not contain it. */
export function imageValue(change: RowChange, column: string): string | null | undefined {
  const { type, relation, record, oldRecord, isOldWhole } = change;
  const index = relation.columns.findIndex(({ name }) => name === column);
  if (type === 'DELETE' && !isOldWhole && !relation.columns[index]?.isKey) return undefined;
  const value = (type === 'DELETE' ? oldRecord : record)?.[index];
  return value === TOO_LARGE ? undefined : value;
}
