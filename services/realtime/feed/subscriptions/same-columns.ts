/** Which columns of a change are still the columns that have their names now. Pure. */
import type { Relation } from '../replication/pgoutput.ts';
import type { CatalogColumn } from './catalog.ts';

/**
 * The columns of a table as far as they are certainly those of a change. The log has names only, and a name may have gone
 * from one column to another since: privileges on the second say nothing about values of the first. Both lists are in the
 * order of `attnum`, so columns are certain up to the first one that was renamed, dropped or moved. Columns with another
 * type are left out.
 * @param now all columns of the table
 */
export function sameColumns(
  { columns: then }: Pick<Relation, 'columns'>,
  now: readonly CatalogColumn[],
): CatalogColumn[] {
  const published = now.filter(({ isPublished }) => isPublished);
  const firstOther = then.findIndex(({ name }, index) => published[index]?.name !== name);
  const certain = firstOther === -1 ? then.length : firstOther;
  return published.slice(0, certain).filter(({ typeOid }, index) => then[index]?.typeOid === typeOid);
}
