/** Reads buckets, as the caller or as the owner of the table, who sees all buckets. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { listAsCaller } from '../queries.ts';
import { type BucketQuery, type BucketRow, selectBucket, selectBuckets } from '../rows/buckets.ts';
import { type AccessContext, asCaller } from '../scope.ts';

/** Lists the buckets that the caller may see. */
export function listBuckets(
  context: Context,
  access: AccessContext,
  query: BucketQuery,
): Promise<BucketRow[]> {
  return listAsCaller<BucketRow>(context, access, selectBuckets(query));
}

/** Returns a bucket that the caller may see. Throws NoSuchBucket. */
export async function findBucket(context: Context, access: AccessContext, id: string): Promise<BucketRow> {
  const rows = await asCaller<BucketRow>(context.database, access.caller, access.request, selectBucket(id));
  return requireRow(rows);
}

/** Returns a bucket regardless of the caller, because the service itself needs its settings. Throws NoSuchBucket. */
export async function requireBucket({ database }: Pick<Context, 'database'>, id: string): Promise<BucketRow> {
  return requireRow(await database.query<BucketRow>(selectBucket(id)));
}

/** Returns the selected row. Throws NoSuchBucket if there is none. */
export function requireRow([row]: BucketRow[]): BucketRow {
  if (row === undefined) throw failure('NoSuchBucket');
  return row;
}
