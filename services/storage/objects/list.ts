/** Lists objects of a folder by the first version of the list API: pages by offset. */
import type { Context } from '../context.ts';
import { listAsCaller } from '../queries.ts';
import type { AccessContext } from '../scope.ts';

/** Parameters of a list. */
export interface ListRequest {
  prefix: string;
  limit?: number | undefined;
  offset?: number | undefined;
  sortBy?: { column: string; order?: string | undefined } | undefined;
  search?: string | undefined;
}

/** An object, or a folder, whose other fields are null. */
interface ListEntry {
  name: string;
  id: string | null;
  updated_at: Date | null;
  created_at: Date | null;
  last_accessed_at: Date | null;
  metadata: object | null;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1500;
const MAX_INTEGER = 2 ** 31 - 1;

/** Lists the objects of a folder that the caller may see. Names are relative to the prefix. */
export function listObjects(
  context: Context,
  access: AccessContext,
  bucket: string,
  list: ListRequest,
): Promise<ListEntry[]> {
  const { prefix, limit = DEFAULT_LIMIT, offset = 0, sortBy, search = '' } = list;
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  return listAsCaller<ListEntry>(context, access, {
    text: `select name, id, updated_at, created_at, last_accessed_at, metadata
      from storage.search($1, $2, $3, 1, $4, $5, $6, $7)`,
    values: [
      folder,
      bucket,
      Math.min(limit, MAX_LIMIT),
      Math.min(offset, MAX_INTEGER),
      search,
      sortBy?.column ?? 'name',
      sortBy?.order ?? 'asc',
    ],
    name: 'storage_list',
  });
}
