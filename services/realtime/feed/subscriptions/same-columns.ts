/** Finds the columns of a change that are still the columns with these names. Pure. */
import type { Relation } from '../replication/pgoutput.ts';
import type { CatalogColumn } from './catalog.ts';

/**
 * Returns the columns of a table that are certainly the same as in a change. The log contains names only, and a name
 * may belong to a different column by now, whose privileges do not apply to the logged values. Both lists are in the
 * order of `attnum`, so columns are certain up to the first one that was renamed, dropped or moved. Columns with a
 * changed type are left out.
 * @param current all current columns of the table
 */
export function sameColumns(
  { columns: logged }: Pick<Relation, 'columns'>,
  current: readonly CatalogColumn[],
): CatalogColumn[] {
  const published = current.filter(({ isPublished }) => isPublished);
  const firstDifference = logged.findIndex(({ name }, index) => published[index]?.name !== name);
  const sameCount = firstDifference === -1 ? logged.length : firstDifference;
  return published.slice(0, sameCount).filter(({ typeOid }, index) => logged[index]?.typeOid === typeOid);
}
