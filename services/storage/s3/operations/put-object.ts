/** PutObject: an upload in one request, which always overwrites. */
import { uploadObject } from '../../objects/upload.ts';
import { headerOf, type Operation, userMetadataOf } from '../request/s3-request.ts';

/** Stands for a folder, which other clients show as one. */
const PLACEHOLDER = '.emptyFolderPlaceholder';
/** Of content whose sender does not say what it is. */
export const DEFAULT_TYPE = 'application/octet-stream';
/** Of content whose sender says nothing about caches. */
export const DEFAULT_CACHE = 'no-cache';

/** Writes it. */
export const PUT_OBJECT: Operation = {
  name: 'storage.s3.upload',
  async run(request) {
    const { context, asking, target, body } = request;
    const isFolder = target.key.endsWith('/') && body.length === 0;
    const row = await uploadObject(
      context,
      { asking },
      {
        bucket: target.bucket,
        key: isFolder ? `${target.key}${PLACEHOLDER}` : target.key,
        isUpsert: true,
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
    );
    return { headers: { etag: row.metadata?.eTag } };
  },
};
