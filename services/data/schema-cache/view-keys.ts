/** Determines the primary keys of tables and views. */
import type { PrimaryKey } from './keys.ts';
import { keyOf } from './schema-cache.ts';
import type { TracedView } from './view-columns.ts';

/**
 * Returns the columns of primary keys by the key of the relation. A view has the key of each table whose key it shows
 * completely. If a view shows a column several times, the first one is used.
 */
export function collectPrimaryKeys(
  primaryKeys: readonly PrimaryKey[],
  views: readonly TracedView[],
): Map<string, readonly string[]> {
  const ofTables = primaryKeys.map(
    ({ table, columns }) => [keyOf(table), columns.map(({ name }) => name)] as const,
  );
  const ofViews = views.map((view) => [keyOf(view), shownKey(view, primaryKeys)] as const);
  return new Map([...ofTables, ...ofViews]);
}

function shownKey(view: TracedView, primaryKeys: readonly PrimaryKey[]): string[] {
  return primaryKeys.flatMap(({ columns }) => {
    const shown = columns.map((column) => view.columnsOf(column)[0]);
    return shown.every((name) => name !== undefined) ? shown : [];
  });
}
