/** Statements for storage.buckets. */
import type { Statement } from '@greenroom/postgres';

/** Selected columns of a bucket, as in responses. */
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

/** `file_size_limit` is cast because byte counts fit into a double, which JSON can represent. */
const COLUMNS = `id, name, owner, public, type, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  created_at, updated_at`;

/** Columns of a new bucket. */
interface NewBucket {
  id: string;
  name: string;
  owner: string | null;
  ownerId: string | null;
  public: boolean;
  sizeLimit: number | null;
  mimeTypes: string[] | null;
}

/** Has no RETURNING, which would require the permission to read. */
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

export function selectBucket(id: string): Statement {
  return {
    text: `select ${COLUMNS} from storage.buckets where id = $1`,
    values: [id],
    name: 'storage_bucket_select',
  };
}

export function selectBucketsById(ids: readonly string[]): Statement {
  return {
    text: `select ${COLUMNS} from storage.buckets where id = any ($1)`,
    values: [ids],
    name: 'storage_buckets_select_by_id',
  };
}

/** Parameters of {@link selectBuckets}. Undefined: unordered and unlimited. */
export interface BucketQuery {
  limit?: number | undefined;
  offset?: number | undefined;
  sortColumn?: 'id' | 'name' | 'created_at' | 'updated_at' | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  search?: string | undefined;
}

const SORT_COLUMNS = { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at' } as const;

/** Selects the buckets whose name contains `search`, ignoring case. */
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

/** Escapes the wildcards of LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Changes of a bucket; undefined leaves a column unchanged. */
interface BucketChanges {
  public?: boolean | undefined;
  sizeLimit?: number | null | undefined;
  mimeTypes?: string[] | null | undefined;
}

/** Has RETURNING: a bucket that the caller cannot read counts as missing. */
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

/** Locks a bucket, which blocks inserts of objects into it. */
export function lockBucket(id: string): Statement {
  return {
    text: 'select id from storage.buckets where id = $1 for update',
    values: [id],
    name: 'storage_bucket_lock',
  };
}

/** Selects one row if the bucket contains any object. */
export function selectAnyObject(id: string): Statement {
  return {
    text: 'select from storage.objects where bucket_id = $1 limit 1',
    values: [id],
    name: 'storage_bucket_any_object',
  };
}

/** Has RETURNING to detect whether the bucket existed and the caller may see and delete it. */
export function deleteBucket(id: string): Statement {
  return {
    text: 'delete from storage.buckets where id = $1 returning id',
    values: [id],
    name: 'storage_bucket_delete',
  };
}
