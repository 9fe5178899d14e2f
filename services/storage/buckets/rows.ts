/** Rows of storage.buckets: all SQL about them. */
import type { Statement } from '@greenroom/postgres';

/** What of a bucket is told. */
export interface BucketRow {
  id: string;
  name: string;
  owner: string | null;
  public: boolean;
  type: 'STANDARD' | 'ANALYTICS' | 'VECTOR';
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
  created_at: Date;
  updated_at: Date;
}

/** A number of bytes fits into a double, and into JSON. */
const COLUMNS = `id, name, owner, public, type, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  created_at, updated_at`;

/** A bucket that is to be made. */
interface NewBucket {
  id: string;
  name: string;
  owner: string | null;
  ownerId: string | null;
  public: boolean;
  sizeLimit: number | null;
  mimeTypes: string[] | null;
}

/** Without RETURNING, which would ask for the right to read. */
export function insertBucket(bucket: NewBucket): Statement {
  return {
    text: `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      bucket.id,
      bucket.name,
      bucket.owner,
      bucket.ownerId,
      bucket.public,
      bucket.sizeLimit,
      bucket.mimeTypes,
    ],
    name: 'storage_bucket_insert',
  };
}

/** One, by its id. */
export function selectBucket(id: string): Statement {
  return {
    text: `select ${COLUMNS} from storage.buckets where id = $1`,
    values: [id],
    name: 'storage_bucket_select',
  };
}

/** Of {@link selectBuckets}. Undefined: no order, and all there are. */
export interface BucketQuery {
  limit?: number | undefined;
  offset?: number | undefined;
  sortColumn?: 'id' | 'name' | 'created_at' | 'updated_at' | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  search?: string | undefined;
}

const SORT_COLUMNS = { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at' } as const;

/** Those whose name contains a text, whatever its case. */
export function selectBuckets(query: BucketQuery): Statement {
  const { limit = null, offset = null, sortColumn, sortOrder, search = '' } = query;
  const order =
    sortColumn === undefined
      ? ''
      : `order by ${SORT_COLUMNS[sortColumn]} ${sortOrder === 'desc' ? 'desc' : 'asc'}`;
  return {
    text: `select ${COLUMNS} from storage.buckets where $1 = '' or name ilike '%' || $1 || '%' ${order}
      limit $2 offset $3`,
    values: [escapeLike(search), limit, offset],
    name: `storage_buckets_select_${sortColumn ?? ''}_${sortOrder ?? ''}`,
  };
}

/** A text that LIKE takes as it is. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** What of a bucket can be changed; undefined leaves it. */
interface BucketChanges {
  public?: boolean | undefined;
  sizeLimit?: number | null | undefined;
  mimeTypes?: string[] | null | undefined;
}

/** With RETURNING: what cannot be read cannot be changed either. */
export function updateBucket(id: string, changes: BucketChanges): Statement {
  return {
    text: `update storage.buckets set
        public = coalesce($2, public),
        file_size_limit = case when $3 then $4 else file_size_limit end,
        allowed_mime_types = case when $5 then $6 else allowed_mime_types end
      where id = $1 returning id`,
    values: [
      id,
      changes.public ?? null,
      changes.sizeLimit !== undefined,
      changes.sizeLimit ?? null,
      changes.mimeTypes !== undefined,
      changes.mimeTypes ?? null,
    ],
    name: 'storage_bucket_update',
  };
}

/** Nobody puts objects into it while it is locked. */
export function lockBucket(id: string): Statement {
  return {
    text: 'select id from storage.buckets where id = $1 for update',
    values: [id],
    name: 'storage_bucket_lock',
  };
}

/** Whether there is anything in it: a row, or none. */
export function selectAnyObject(id: string): Statement {
  return {
    text: 'select from storage.objects where bucket_id = $1 limit 1',
    values: [id],
    name: 'storage_bucket_any_object',
  };
}

/** Deletes one. With RETURNING, to see whether there was one that its caller may see and delete. */
export function deleteBucket(id: string): Statement {
  return {
    text: 'delete from storage.buckets where id = $1 returning id',
    values: [id],
    name: 'storage_bucket_delete',
  };
}
