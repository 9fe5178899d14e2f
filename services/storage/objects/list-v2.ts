/** Lists objects by the second version of the list API: pages by cursor, with or without folders. */
import type { Statement } from '@greenroom/postgres';
import type { Context } from '../context.ts';
import { listAsCaller } from '../queries.ts';
import type { AccessContext } from '../scope.ts';
import { type Cursor, decodeCursor, encodeCursor, type SortColumn } from './cursor.ts';

/** Parameters of a list. */
export interface ListV2Request {
  prefix?: string | undefined;
  /** Groups names that contain it after the prefix into one folder. */
  delimiter?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Ignored if there is a cursor. */
  startAfter?: string | undefined;
  sortBy?: { column: SortColumn; order?: 'asc' | 'desc' | undefined } | undefined;
}

/** An object, or a folder, which has no id. */
interface ListedObject {
  /** Name relative to the prefix; only in lists with folders. */
  key?: string;
  /** Full name; folders end with the delimiter. */
  name: string;
  id: string | null;
  updated_at: Date | null;
  created_at: Date | null;
  last_accessed_at: Date | null;
  metadata: Record<string, unknown> | null;
}

/** A page of a list. */
interface ListV2Page {
  hasNext: boolean;
  nextCursor?: string;
  /** Last name of this page, after which the next page begins. */
  nextCursorKey?: string;
  folders: ListedObject[];
  objects: ListedObject[];
}

const MAX_LIMIT = 1000;
/** Sorts after all continuations of a prefix in byte order. */
const HIGHEST_CHARACTER = '\u{10ffff}';

/** Lists the objects that the caller may see. Throws InvalidParameter if the cursor is malformed. */
export async function listObjectsV2(
  context: Context,
  access: AccessContext,
  bucket: string,
  list: ListV2Request,
): Promise<ListV2Page> {
  const { prefix = '', delimiter } = list;
  const limit = Math.min(list.limit ?? MAX_LIMIT, MAX_LIMIT);
  const position = list.cursor ? decodeCursor(list.cursor) : firstPosition(list);
  const query = { bucket, prefix, limit: limit + 1, position };
  const statement = delimiter === undefined ? flat(query) : withFolders(query, delimiter);
  const rows = await listAsCaller<ListedObject>(context, access, statement);
  const page = rows.slice(0, limit).map((row) => (row.id === null ? asFolder(row, delimiter ?? '/') : row));
  const last = page.at(-1);
  return {
    hasNext: rows.length > limit,
    ...(rows.length > limit &&
      last !== undefined && { nextCursor: cursorBehind(last, position), nextCursorKey: last.name }),
    folders: page.filter(({ id }) => id === null),
    objects: page.filter(({ id }) => id !== null),
  };
}

function firstPosition({ startAfter = '', sortBy }: ListV2Request): Cursor {
  return { startAfter, order: sortBy?.order ?? 'asc', column: sortBy?.column, after: undefined };
}

function cursorBehind(last: ListedObject, { order, column }: Cursor): string {
  const after = column === undefined || column === 'name' ? undefined : last[column]?.toISOString();
  return encodeCursor({ startAfter: last.name, order, column, after });
}

function asFolder(row: ListedObject, delimiter: string): ListedObject {
  return { ...row, name: row.name + delimiter };
}

interface Query {
  bucket: string;
  prefix: string;
  limit: number;
  position: Cursor;
}

/** Position of the first page in the order of a date. */
const EPOCH = '1970-01-01T00:00:00Z';
const FLAT_COLUMNS = 'id, name, metadata, updated_at, created_at, last_accessed_at';

/** Builds the query without folders. Sorts by bytes of the name, or by a date and then by name. */
function flat({ bucket, prefix, limit, position }: Query): Statement {
  const { startAfter, order, column, after } = position;
  if (isDate(column)) {
    return {
      text: `select ${FLAT_COLUMNS} from storage.list_flat_by_date($1, $2, $3, $4, $5, $6, $7)`,
      values: [bucket, prefix, limit, startAfter, after ?? EPOCH, order === 'asc', column],
      name: 'storage_list_flat_by_date',
    };
  }
  const name = 'name collate "C"';
  const values: unknown[] = [bucket, limit];
  const conditions = ['bucket_id = $1'];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (prefix !== '') {
    conditions.push(`${name} >= ${bind(prefix)}`, `${name} < ${bind(prefix + HIGHEST_CHARACTER)}`);
  }
  const further = order === 'desc' ? '<' : '>';
  if (startAfter !== '') conditions.push(`${name} ${further} ${bind(startAfter)}`);
  const text = `select ${FLAT_COLUMNS} from storage.objects where ${conditions.join(' and ')}
    order by ${name} ${order} limit $2`;
  return { text, values, name: `storage_list_flat_${order}_${conditions.length}_${prefix === ''}` };
}

function withFolders({ bucket, prefix, limit, position }: Query, delimiter: string): Statement {
  const { startAfter, order, column, after } = position;
  const columns = 'key, name, id, updated_at, created_at, last_accessed_at, metadata';
  if (delimiter === '/' && isDate(column)) {
    return {
      text: `select ${columns} from storage.list_folder_by_date($1, $2, $3, $4, $5, $6, $7)`,
      values: [bucket, prefix, limit, startAfter, order, column, after ?? ''],
      name: 'storage_list_v2_by_date',
    };
  }
  if (delimiter === '/') {
    return {
      text: `select ${columns} from storage.search_v2($1, $2, $3, 1, $4, $5)`,
      values: [prefix, bucket, limit, startAfter, order],
      name: 'storage_list_v2',
    };
  }
  return {
    text: `select substr(name, length($2) + 1) as key, name, id, updated_at, created_at, last_accessed_at, metadata
      from storage.list_objects_with_delimiter($1, $2, $3, $4, $5, '', $6)`,
    values: [bucket, prefix, delimiter, limit, startAfter, order],
    name: 'storage_list_delimited',
  };
}

function isDate(column: SortColumn | undefined): boolean {
  return column === 'updated_at' || column === 'created_at';
}
