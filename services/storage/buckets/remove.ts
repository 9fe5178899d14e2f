/** Deletes buckets. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { deleteBucket, lockBucket, selectAnyObject } from '../rows/buckets.ts';
import { type AccessContext, impersonate } from '../scope.ts';

/**
 * Deletes an empty bucket that the caller may see and delete. Existence and emptiness are checked as the owner of the
 * tables. Throws NoSuchBucket and ResourceNotEmpty.
 */
export async function removeBucket(context: Context, access: AccessContext, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [buckets = [], objects = []] = await tx.batch([lockBucket(id), selectAnyObject(id)]);
    if (buckets.length === 0) throw failure('NoSuchBucket');
    if (objects.length > 0) throw failure('ResourceNotEmpty');
    const [, deleted = []] = await tx.batch([impersonate(access.caller, access.request), deleteBucket(id)]);
    if (deleted.length === 0) throw failure('NoSuchBucket');
  });
}
