/** How large an object is. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { describe } from './describe.ts';
import type { ObjectRow } from './rows.ts';

/**
 * Bytes: what the row says, and the store where the row was written by SQL and does not say it. Throws ContentNotFound
 * for a row without a version, NoSuchKey where the content is gone.
 */
export async function sizeOf({ store }: Pick<Context, 'store'>, row: ObjectRow): Promise<number> {
  const { bucket_id: bucket, name: key, version } = row;
  if (version === null) throw failure('ContentNotFound');
  return describe(row).size ?? (await store.facts({ bucket, key, version })).size;
}
