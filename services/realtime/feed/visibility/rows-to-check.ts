/** Selects the rows of changes that are checked under row-level security. Pure. */
import { type Relation, type RowChange, TOO_LARGE } from '../replication/pgoutput.ts';
import type { KeyColumn, RowsToCheck } from './visible-rows.ts';

/** The rows of one table and, in the same order, the changes that they belong to. */
export interface ChangesToCheck {
  rows: RowsToCheck;
  changes: RowChange[];
}

/**
 * Returns the rows of a table to check, by primary key; undefined if there is none, or if rows cannot be found by their
 * primary key and are therefore visible to no role.
 * @param primaryKey names of the key columns in order
 * @param all changes of this and other tables
 * @param columns columns of the table that are the same now as in the changes
 */
export function rowsToCheck(
  relation: Relation,
  primaryKey: readonly string[],
  all: readonly RowChange[],
  columns: ReadonlyMap<string, KeyColumn>,
): ChangesToCheck | undefined {
  const key = primaryKey.flatMap((name) => columns.get(name) ?? []);
  const positions = primaryKey.map((name) => relation.columns.findIndex((column) => column.name === name));
  if (key.length === 0 || key.length !== primaryKey.length || positions.includes(-1)) return undefined;
  const found = all.flatMap((change) => {
    if (change.relation !== relation || change.type === 'DELETE') return [];
    const values = positions.flatMap((position) => keyValue(change, position));
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

function keyValue({ record }: RowChange, position: number): string | [] {
  const value = record?.[position];
  return value === null || value === undefined || value === TOO_LARGE ? [] : value;
}
