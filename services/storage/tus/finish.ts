/** Making an upload that is whole an object. */
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { insertNewObject, lockKeys, lockVersion, type NewObject, upsertObject } from '../objects/rows.ts';
import { metadataOf, whenLocked } from '../objects/save.ts';
import type { ContentFacts } from '../store/object-store.ts';
import { finishUpload, type UploadRow } from './rows.ts';
import { labelsOf, userMetadataOf } from './upload-metadata.ts';

/** Whose it will be. */
export interface ObjectOwner {
  owner: string | null;
  ownerId: string | null;
  isUpsert: boolean;
}

/**
 * Writes the object's row and finishes the upload's, both or none. Policies have been asked before. Throws
 * KeyAlreadyExists: the upload stays as it is then, for somebody may remove what is in its way.
 */
export async function finishObject(
  context: Context,
  upload: UploadRow,
  facts: ContentFacts,
  { isUpsert, ...owner }: ObjectOwner,
): Promise<void> {
  const { bucket, key, version, metadata } = upload;
  const { contentType: mimeType, cacheControl } = labelsOf(metadata);
  const row: NewObject = {
    bucket,
    key,
    version,
    ...owner,
    metadata: metadataOf({ facts, mimeType, cacheControl }),
    userMetadata: userMetadataOf(metadata),
  };
  const replaced = await context.database
    .transaction(async (tx) => {
      const results = await tx.batch([
        ...lockKeys(row),
        lockVersion(bucket, key),
        isUpsert ? upsertObject(row) : insertNewObject(row),
        finishUpload(version, upload.received),
      ]);
      const [locked = [], saved = [], finished = []] = results.slice(-3);
      if (saved.length === 0) throw failure('KeyAlreadyExists');
      if (finished.length === 0) throw failure('ResourceLocked');
      return locked[0]?.version as string | null | undefined;
    })
    .catch((error: unknown) => {
      throw whenLocked(error);
    });
  context.metrics.written.inc({ by: 'resumable' });
  context.metrics.writtenBytes.inc({ by: 'resumable' }, facts.size);
  if (replaced != null) await context.removals.begin(context, { bucket, key, version: replaced });
}
