/** Finds the columns of a change that are still the columns with these names. Pure. */
import type { Relation } from '../replication/pgoutput.ts';
import type { CatalogColumn } from './catalog.ts';

/**
 * Returns the columns of a table that are certainly the same as in a change. The log contains names only, and a name
 * may belong to a different column by now, whose privileges do not apply to the logged values. Both lists are in the
 * order of `attnum`, so columns are certain up to the first one that was renamed, dropped or moved. Columns with a
 * changed type are left out.
 * @param now all current columns of the table
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
