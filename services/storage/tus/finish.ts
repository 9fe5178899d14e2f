/** Turns a completed upload into an object. */
import { requireRow } from '../buckets/read.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { mapLockTimeout, metadataOf } from '../objects/save.ts';
import { type BucketRow, selectBucket } from '../rows/buckets.ts';
import { insertNewObject, lockKeys, lockVersion, type NewObject, upsertObject } from '../rows/objects.ts';
import { type AccessContext, AS_OWNER, asService } from '../scope.ts';
import type { ContentStat } from '../store/object-store.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { finishUpload, type UploadRow } from './rows.ts';
import { labelsOf, userMetadataOf } from './upload-metadata.ts';

/** Owner of the new object, and whether it may replace an existing one. */
export interface ObjectOwner {
  owner: string | null;
  ownerId: string | null;
  isUpsert: boolean;
}

/** The request that finishes an upload. */
interface FinishOptions {
  /** Headers, claims and operation that triggers see. */
  access: AccessContext;
  object: ObjectOwner;
}

/**
 * Writes the object's row and finishes the upload's row in one transaction. The caller has checked policies; the rules
 * of the bucket are checked here, since they may have changed. Throws KeyAlreadyExists, EntityTooLarge,
 * InvalidMimeType and InvalidRequest: the upload remains unchanged then, and can be finished when the cause is resolved.
 */
export async function finishObject(
  context: Context,
  upload: UploadRow,
  stat: ContentStat,
  { access, object: { isUpsert, ...owner } }: FinishOptions,
): Promise<void> {
  const { bucket, key, version, metadata } = upload;
  const { contentType: mimeType, cacheControl } = labelsOf(metadata);
  const row: NewObject = {
    bucket,
    key,
    version,
    ...owner,
    metadata: metadataOf({ stat, mimeType, cacheControl }),
    userMetadata: userMetadataOf(metadata),
  };
  // Not discarded on failure: another request may have finished the upload, and content that remains may be copied.
  context.contentCopies?.written(row);
  const replaced = await context.database
    .transaction(async (tx) => {
      const locks = lockKeys(row);
      const written = [lockVersion(bucket, key), isUpsert ? upsertObject(row) : insertNewObject(row)];
      // All transactions lock rows of objects first, then rows of uploads and of sums, which prevents deadlocks.
      const results = await tx.batch([
        ...locks,
        selectBucket(bucket),
        ...asService(access, written),
        AS_OWNER,
        finishUpload(version, upload.received),
      ]);
      const [buckets = [], , locked = [], saved = [], , finished = []] = results.slice(locks.length);
      const { size } = stat;
      const candidate = { key, mimeType, cacheControl, size, instanceLimit: context.config.maxObjectBytes };
      requireAccepted(requireRow(buckets as unknown as BucketRow[]), candidate);
      if (saved.length === 0) throw failure('KeyAlreadyExists');
      if (finished.length === 0) throw failure('ResourceLocked');
      return locked[0]?.version as string | null | undefined;
    })
    .catch((error: unknown) => {
      throw mapLockTimeout(error);
    });
  context.metrics.written.inc({ by: 'resumable' });
  context.metrics.writtenBytes.inc({ by: 'resumable' }, stat.size);
  if (replaced != null) await context.removals.begin(context, { bucket, key, version: replaced });
}
