/** Statements that empty a bucket. */
import type { Statement } from '@greenroom/postgres';

/** Counts the objects of a bucket up to `limit`, and returns the time of the count. */
export function countObjects(bucket: string, limit: number): Statement {
  return {
    text: `select count(*)::int as count, now()::text as now
      from (select from storage.objects where bucket_id = $1 limit $2) as counted`,
    values: [bucket, limit],
    name: 'storage_objects_count',
  };
}

/** Deletes at most `limit` objects that were created until `before`. */
export function deleteBatch(bucket: string, before: string, limit: number): Statement {
  return {
    text: `delete from storage.objects where id in (
        select id from storage.objects where bucket_id = $1 and created_at <= $2::timestamptz limit $3
      ) returning name, version`,
    values: [bucket, before, limit],
    name: 'storage_objects_delete_portion',
  };
}
