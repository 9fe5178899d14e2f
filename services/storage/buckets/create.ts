/** Creates buckets. */
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import { insertBucket } from '../rows/buckets.ts';
import { type AccessContext, asCaller } from '../scope.ts';
import { readMimeRules } from '../validate/mime-type.ts';
import { requireNewBucketName } from '../validate/names.ts';
import { readSizeLimit } from '../validate/size-limit.ts';

/** Body of a request that creates a bucket. */
export interface BucketRequest {
  name: string;
  id?: string | undefined;
  public?: boolean | undefined;
  type?: 'STANDARD' | 'ANALYTICS' | undefined;
  file_size_limit?: number | string | null | undefined;
  allowed_mime_types?: readonly string[] | null | undefined;
}

/** Creates a bucket as the caller. Throws BucketAlreadyExists. */
export async function createBucket(
  context: Context,
  access: AccessContext,
  request: BucketRequest,
): Promise<void> {
  const { name, id, file_size_limit: limit, allowed_mime_types: types } = request;
  requireNewBucketName(name);
  // An id that is not a valid name could not be addressed by any path.
  if (id) requireNewBucketName(id);
  if (request.type === 'ANALYTICS') {
    throw failure('FeatureNotEnabled', {
      message: 'The feature iceberg_catalog is not enabled for this resource',
    });
  }
  const statement = insertBucket({
    id: id || name,
    name,
    ...ownerOf(access.caller),
    public: request.public ?? false,
    sizeLimit: limit == null ? null : readSizeLimit(limit, context.config),
    mimeTypes: types == null ? null : readMimeRules(types),
  });
  await asCaller(context.database, access.caller, access.request, statement).catch((error: unknown) => {
    const refusal = toStorageError(error);
    throw refusal.code === 'ResourceAlreadyExists' ? failure('BucketAlreadyExists') : refusal;
  });
}
