/**
 * Builds the JSON of a change for a role with certain rights. Pure. It contains only columns that the role may select,
 * the columns of the old row in the replica identity, and no large values if the change is too large.
 */
import type { RelationColumn, RowChange } from '../replication/pgoutput.ts';
import type { CatalogColumn } from '../subscriptions/catalog.ts';
import { isReadable } from '../visibility/columns.ts';
import type { TableRights } from '../visibility/rights.ts';
import type { ConvertedChange, JsonTuple } from './convert.ts';

/** A change with more bytes is delivered without its large values. */
export const MAX_CHANGE_BYTES = 1_048_576;
/** Maximum bytes of a value as JSON in a change that is too large. */
const MAX_VALUE_BYTES = 64;

/** The error in a change that is delivered without columns and values. */
type Withheld = 'Error 400: Bad Request, no primary key' | 'Error 401: Unauthorized';

/**
 * Returns the reason to withhold a change; undefined if it can be delivered. A row is found by its primary key, so the
 * change must contain the key, and the role must be allowed to select it.
 */
export function reasonToWithhold({ type, relation }: RowChange, rights: TableRights): Withheld | undefined {
  if (type === 'DELETE') return undefined;
  const published = new Set(relation.columns.map(({ name }) => name));
  if (rights.primaryKey.length === 0 || !rights.primaryKey.every((name) => published.has(name))) {
    return 'Error 400: Bad Request, no primary key';
  }
  return rights.primaryKey.every((name) => rights.selectable.has(name))
    ? undefined
    : 'Error 401: Unauthorized';
}

/** Returns the payload of a withheld change. */
export function withheldPayload({ type, relation }: RowChange, reason: Withheld): string {
  return JSON.stringify({
    schema: relation.schema,
    table: relation.table,
    type,
    columns: [],
    record: {},
    commit_timestamp: null,
    errors: [reason],
  });
}

/** Returns the payload of a change. @param select columns in addition to the primary key; undefined for all */
export function changePayload(
  { change, record, oldRecord }: ConvertedChange,
  rights: TableRights,
  select: readonly string[] | undefined,
  columns: ReadonlyMap<string, Pick<CatalogColumn, 'typeName' | 'number'>>,
): string {
  const { relation, type } = change;
  const isTooLarge = change.bytes > MAX_CHANGE_BYTES;
  const shown = relation.columns.map(({ name }) => isShown(name, rights, select, columns));
  const object = (tuple: JsonTuple | undefined, isIncluded: (column: RelationColumn) => boolean) => {
    const members = relation.columns.flatMap((column, index) => {
      const json = tuple?.[index];
      if (json === undefined || !shown[index] || !isIncluded(column)) return [];
      if (isTooLarge && Buffer.byteLength(json) > MAX_VALUE_BYTES) return [];
      return `${JSON.stringify(column.name)}:${json}`;
    });
    return `{${members.join(',')}}`;
  };
  const shownColumns = relation.columns.flatMap(({ name }, index) =>
    shown[index] ? { name, type: columns.get(name)?.typeName ?? '' } : [],
  );
  const head = JSON.stringify({
    type,
    schema: relation.schema,
    table: relation.table,
    commit_timestamp: new Date(change.commitTimeMs).toISOString(),
    columns: shownColumns,
    errors: isTooLarge ? ['Error 413: Payload Too Large'] : null,
  });
  const images = [
    ...(type === 'DELETE' ? [] : [`"record":${object(record, () => true)}`]),
    // If the log has no image of the old row, the replica identity has not changed.
    ...(type === 'INSERT'
      ? []
      : [`"old_record":${object(oldRecord ?? record, oldColumnTest(change, rights))}`]),
  ];
  return `${head.slice(0, -1)},${images.join(',')}}`;
}

function isShown(
  name: string,
  rights: TableRights,
  select: readonly string[] | undefined,
  columns: ReadonlyMap<string, Pick<CatalogColumn, 'number'>>,
): boolean {
  if (!isReadable(name, rights, columns)) return false;
  return select === undefined || select.includes(name) || rights.primaryKey.includes(name);
}

/** No policy can be evaluated for a deleted row, so only its primary key is shown. */
function oldColumnTest(
  { type, isOldComplete }: RowChange,
  { hasRls, primaryKey }: TableRights,
): (column: RelationColumn) => boolean {
  if (type === 'DELETE' && hasRls) return ({ name }) => primaryKey.includes(name);
  return ({ isKey }) => isOldComplete || isKey;
}
