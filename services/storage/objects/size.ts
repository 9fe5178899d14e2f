import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { ObjectRow } from '../rows/objects.ts';
import { describe } from './describe.ts';

/**
 * Returns the bytes of an object, from its row, or from the store if SQL wrote the row without a size. Throws
 * ContentNotFound for a row without a version, NoSuchKey if the content is missing.
 */
export async function sizeOf({ store }: Pick<Context, 'store'>, row: ObjectRow): Promise<number> {
  const { bucket_id: bucket, name: key, version } = row;
  if (version === null) throw failure('ContentNotFound');
  return describe(row).size ?? (await store.stat({ bucket, key, version })).size;
}
