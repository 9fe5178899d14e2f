/** Empties buckets. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { type AccessContext, asService } from '../scope.ts';
import { removeContentOfDeleted } from '../store/remove-content.ts';
import { countObjects, deleteBatch } from './empty-statements.ts';
import { findBucket } from './read.ts';

/** A bucket with more objects would keep the client waiting for too long. */
const MAX_OBJECTS = 200_000;
const BATCH_SIZE = 1000;

/** Deletes the objects that exist at the time of the request. Throws NoSuchBucket and TooManyObjects. */
export async function emptyBucket(context: Context, access: AccessContext, id: string): Promise<void> {
  await findBucket(context, access, id);
  const { database } = context;
  const [counted] = await database.query<{ count: number; now: string }>(countObjects(id, MAX_OBJECTS + 1));
  if (counted === undefined || counted.count === 0) return;
  if (counted.count > MAX_OBJECTS) throw failure('TooManyObjects');
  for (;;) {
    const batch = deleteBatch(id, counted.now, BATCH_SIZE);
    const [, rows = []] = await database.batch(asService(access, [batch]));
    if (rows.length === 0) return;
    await removeContentOfDeleted(
      context,
      (rows as { name: string; version: string | null }[]).map(({ name, version }) => ({
        bucket: id,
        key: name,
        version,
      })),
    );
  }
}
