/** PutObject: an upload in one request, which overwrites an existing object unless a condition forbids it. */
import { uploadObject } from '../../objects/upload.ts';
import { headerOf, type Operation, userMetadataOf } from '../request/s3-request.ts';
import { requiresNewObject, throwPreconditionFailed } from '../request/write-condition.ts';

/** Represents an empty folder, which other clients show as a folder. */
const PLACEHOLDER = '.emptyFolderPlaceholder';
/** Type of content whose sender does not declare one. */
export const DEFAULT_TYPE = 'application/octet-stream';
/** Cache control of content whose sender does not declare one. */
export const DEFAULT_CACHE = 'no-cache';

export const PUT_OBJECT: Operation = {
  name: 'storage.s3.upload',
  async run(request) {
    const { context, access, target, body } = request;
    const isFolder = target.key.endsWith('/') && body.length === 0;
    const row = await uploadObject(
      context,
      { access },
      {
        bucket: target.bucket,
        key: isFolder ? `${target.key}${PLACEHOLDER}` : target.key,
        isUpsert: !requiresNewObject(request),
        instanceLimit: context.config.maxStandardBytes,
        by: 's3',
      },
      async () => ({
        content: body.open(),
        mimeType: headerOf(request, 'content-type') ?? DEFAULT_TYPE,
        cacheControl: headerOf(request, 'cache-control') ?? DEFAULT_CACHE,
        size: body.length,
        declaredSize: body.length,
        userMetadata: userMetadataOf(request),
      }),
    ).catch(throwPreconditionFailed);
    return { headers: { etag: row.metadata?.eTag } };
  },
};
