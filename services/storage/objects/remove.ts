/** Deletes objects: first rows, then their content. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { changeManyAsCaller } from '../queries.ts';
import type { ObjectPath } from '../request/object-path.ts';
import { deleteManyObjects, deleteObjects, lockVersion, type ObjectRow } from '../rows/objects.ts';
import { type AccessContext, impersonate } from '../scope.ts';
import { removeContentOfDeleted } from '../store/remove-content.ts';

/** Deletes an object. Throws NoSuchKey, and AccessDenied if the object exists but the caller may not delete it. */
export async function removeObject(
  context: Context,
  access: AccessContext,
  { bucket, key }: ObjectPath,
): Promise<void> {
  const [found = [], , deleted = []] = await context.database.batch([
    lockVersion(bucket, key),
    impersonate(access.caller, access.request),
    deleteObjects(bucket, [key]),
  ]);
  if (found.length === 0) throw failure('NoSuchKey');
  if (deleted.length === 0) throw failure('AccessDenied');
  await removeContentOfDeleted(context, contentOf(deleted as unknown as ObjectRow[]));
}

/** Deletes those objects that the caller may delete, and returns their rows. */
export async function removeObjects(
  context: Context,
  access: AccessContext,
  bucket: string,
  keys: readonly string[],
): Promise<ObjectRow[]> {
  const deleted = await changeManyAsCaller<ObjectRow>(context, access, deleteManyObjects(bucket, keys));
  await removeContentOfDeleted(context, contentOf(deleted));
  return deleted;
}

function contentOf(rows: readonly ObjectRow[]) {
  return rows.map(({ bucket_id: bucket, name: key, version }) => ({ bucket, key, version }));
}
