import { randomUUID } from 'node:crypto';
import { requireBucket } from '../../buckets/read.ts';
import { principalOf, requireFewUploads } from '../../quotas/principal.ts';
import { requireAccepted } from '../../validate/bucket-rules.ts';
import { requireNewKey } from '../../validate/names.ts';
import { DEFAULT_CACHE, DEFAULT_TYPE } from '../operations/put-object.ts';
import { headerOf, type Operation, userMetadataOf } from '../request/s3-request.ts';
import { xmlDocument } from '../xml/write.ts';
import { insertUpload } from './rows.ts';
import { requireMayUpload } from './upload.ts';

/**
 * CreateMultipartUpload. Begins an upload and stores the metadata of the later object, which requests for parts do not
 * include.
 */
export const CREATE_MULTIPART: Operation = {
  name: 'storage.s3.upload.create_multipart',
  async run(request) {
    const { context, access, target } = request;
    requireNewKey(target.key);
    const contentType = headerOf(request, 'content-type') ?? DEFAULT_TYPE;
    const cacheControl = headerOf(request, 'cache-control') ?? DEFAULT_CACHE;
    requireAccepted(await requireBucket(context, target.bucket), {
      key: target.key,
      mimeType: contentType,
      cacheControl,
      size: undefined,
      instanceLimit: context.config.maxObjectBytes,
    });
    const described = {
      metadata: { mimetype: contentType, cacheControl },
      user_metadata: userMetadataOf(request),
    };
    await requireMayUpload(request, described);
    const name = { ...target, version: randomUUID() };
    const id = await context.store.beginParts(name, { contentType, cacheControl });
    const { bucket, key, version } = name;
    const principal = principalOf(access.caller);
    const { ownerId, begunBy } = principal;
    const row = { id, bucket_id: bucket, key, version, owner_id: ownerId, begun_by: begunBy, ...described };
    const uploadLimitCheck = requireFewUploads(principal, bucket, context.config.maxUnfinishedUploads);
    await context.database.batch([...uploadLimitCheck, insertUpload(row)]).catch(async (error: unknown) => {
      await context.store.abortParts({ ...name, uploadId: id });
      throw error;
    });
    return { xml: xmlDocument('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id }) };
  },
};
