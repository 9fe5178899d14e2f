/** Changes buckets. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { updateBucket } from '../rows/buckets.ts';
import { type AccessContext, asCaller } from '../scope.ts';
import { readMimeRules } from '../validate/mime-type.ts';
import { requireBucketName } from '../validate/names.ts';
import { readSizeLimit } from '../validate/size-limit.ts';
import type { BucketRequest } from './create.ts';

/** Changeable settings. Null removes a limit. */
export type BucketUpdate = Pick<BucketRequest, 'public' | 'file_size_limit' | 'allowed_mime_types'>;

/** Changes a bucket that the caller may see and change. Throws NoSuchBucket. */
export async function changeBucket(
  context: Context,
  access: AccessContext,
  id: string,
  update: BucketUpdate,
): Promise<void> {
  requireBucketName(id);
  const { file_size_limit: limit, allowed_mime_types: types } = update;
  const statement = updateBucket(id, {
    public: update.public,
    sizeLimit: limit == null ? limit : readSizeLimit(limit, context.config),
    mimeTypes: types == null ? types : readMimeRules(types),
  });
  const rows = await asCaller(context.database, access.caller, access.request, statement);
  if (rows.length === 0) throw failure('NoSuchBucket');
}
