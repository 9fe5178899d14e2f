/** Which rows of changes are checked under row-level security. Pure. */
import { type Relation, type RowChange, TOO_LARGE } from '../replication/pgoutput.ts';
import type { KeyColumn, RowsToCheck } from './visible-rows.ts';

/** The rows of one table, and the changes that they belong to, in the same order. */
export interface ChangesToCheck {
  rows: RowsToCheck;
  changes: RowChange[];
}

/**
 * Rows of a table by their primary keys. Returns undefined if there are none to check, or if they cannot be found by their
 * primary key, so that they are visible to no role.
 * @param primaryKey names of the columns of the key, in its order
 * @param all changes of any tables
 * @param columns of the table, as far as they are the same now as in the changes
 */
export function rowsToCheck(
  relation: Relation,
  primaryKey: readonly string[],
  all: readonly RowChange[],
  columns: ReadonlyMap<string, KeyColumn>,
): ChangesToCheck | undefined {
  const key = primaryKey.flatMap((name) => columns.get(name) ?? []);
  const places = primaryKey.map((name) => relation.columns.findIndex((column) => column.name === name));
  if (key.length === 0 || key.length !== primaryKey.length || places.includes(-1)) return undefined;
  const found = all.flatMap((change) => {
    if (change.relation !== relation || change.type === 'DELETE') return [];
    const values = places.flatMap((place) => keyValue(change, place));
    return values.length === key.length ? { change, values } : [];
  });
  if (found.length === 0) return undefined;
  return {
    rows: {
      oid: relation.oid,
      schema: relation.schema,
      table: relation.table,
      key,
      rows: found.map(({ values }) => values),
    },
    changes: found.map(({ change }) => change),
  };
}

function keyValue({ record }: RowChange, place: number): string | [] {
  const value = record?.[place];
  return value === null || value === undefined || value === TOO_LARGE ? [] : value;
}
