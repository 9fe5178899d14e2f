/** CompleteMultipartUpload: assembles parts into an object. */
import { requireBucket } from '../../buckets/read.ts';
import { ownerOf } from '../../caller.ts';
import { failure } from '../../errors.ts';
import { mapLockTimeout, metadataOf } from '../../objects/save.ts';
import {
  insertNewObject,
  lockKeys,
  lockVersion,
  type NewObject,
  selectNames,
  upsertObject,
} from '../../rows/objects.ts';
import { AS_OWNER, asService } from '../../scope.ts';
import { type RowContent, removeContentOfDeleted } from '../../store/remove-content.ts';
import { requireAccepted } from '../../validate/bucket-rules.ts';
import { s3Failure } from '../errors.ts';
import { DEFAULT_CACHE, DEFAULT_TYPE } from '../operations/put-object.ts';
import { readXmlBody } from '../request/body.ts';
import type { Operation, S3Request } from '../request/s3-request.ts';
import { requiresNewObject } from '../request/write-condition.ts';
import { childrenOf, textOf, type XmlElement } from '../xml/read.ts';
import { xmlDocument } from '../xml/write.ts';
import { deleteUpload, type PartRow, selectParts, type UploadRow } from './rows.ts';
import { runExclusively } from './run-exclusively.ts';
import { partsNameOf, requireUpload } from './upload.ts';

const MAX_PARTS = 10_000;

/**
 * Joins the listed parts in their order, or all parts if the request lists none. With `If-None-Match: *` it throws
 * PreconditionFailed if the object exists; the upload remains.
 */
export const COMPLETE_MULTIPART: Operation = {
  name: 'storage.s3.upload.complete_multipart',
  async run(request) {
    const listed = readParts(await readXmlBody(request.body));
    // Serialised, because concurrent requests that complete the same upload with other parts would write the same
    // content.
    const uploadId = request.query.get('uploadId') ?? '';
    const eTag = await runExclusively(request.context, uploadId, () => complete(request, listed));
    const { bucket, key } = request.target;
    return {
      xml: xmlDocument('CompleteMultipartUploadResult', {
        Location: `${bucket}/${key}`,
        Bucket: bucket,
        Key: key,
        ETag: eTag,
      }),
    };
  },
};

async function complete(request: S3Request, listed: readonly ListedPart[]): Promise<string> {
  const upload = await requireUpload(request);
  const written = await request.context.database.query<PartRow>(selectParts(upload.id, 0, MAX_PARTS));
  const parts = listed.length === 0 ? written : selectListed(listed, written);
  await requireFits(request, upload, parts);
  await requireCondition(request);
  return assembleParts(request, upload, parts);
}

interface ListedPart {
  partNumber: number;
  eTag: string;
}

/** Parses the list of parts. Throws MalformedXML and InvalidPartOrder. */
function readParts(root: XmlElement | undefined): ListedPart[] {
  if (root === undefined) return [];
  if (root.name !== 'CompleteMultipartUpload') {
    throw failure('MalformedXML', { message: 'The root element must be CompleteMultipartUpload' });
  }
  const parts = childrenOf(root, 'Part').map((part) => {
    const [number = '', eTag] = [textOf(part, 'PartNumber')?.trim(), textOf(part, 'ETag')?.trim()];
    if (!/^\d{1,5}$/.test(number) || eTag === undefined) {
      throw failure('MalformedXML', { message: 'Each part must have a PartNumber and an ETag' });
    }
    return { partNumber: Number(number), eTag };
  });
  if (parts.some(({ partNumber }, index) => partNumber <= (parts[index - 1]?.partNumber ?? 0))) {
    throw s3Failure('InvalidPartOrder');
  }
  return parts;
}

/** Selects the listed parts. Throws MissingPart and InvalidPart. */
function selectListed(listed: readonly ListedPart[], written: readonly PartRow[]): PartRow[] {
  const byNumber = new Map(written.map((part) => [part.part_number, part]));
  return listed.map(({ partNumber, eTag }) => {
    const part = byNumber.get(partNumber);
    if (part === undefined) throw failure('MissingPart', { message: `Part ${partNumber} is missing` });
    if (unquoted(part.etag) !== unquoted(eTag)) {
      throw s3Failure('InvalidPart', { message: `Part ${partNumber} has a different ETag: ${part.etag}` });
    }
    return part;
  });
}

function unquoted(eTag: string): string {
  return eTag.replace(/^"|"$/g, '');
}

/**
 * Checks the rules of the bucket, which may have changed since the parts were uploaded. Throws MissingPart,
 * EntityTooLarge and InvalidMimeType.
 */
async function requireFits(
  { context, target }: S3Request,
  { metadata }: UploadRow,
  parts: readonly PartRow[],
): Promise<void> {
  if (parts.length === 0) throw failure('MissingPart', { message: 'No part has been uploaded' });
  requireAccepted(await requireBucket(context, target.bucket), {
    key: target.key,
    mimeType: metadata?.mimetype,
    cacheControl: metadata?.cacheControl,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    instanceLimit: context.config.maxObjectBytes,
  });
}

/** Checks the condition before parts are joined. It is checked again with the row. Throws PreconditionFailed. */
async function requireCondition(request: S3Request): Promise<void> {
  if (!requiresNewObject(request)) return;
  const { context, target } = request;
  const found = await context.database.query(selectNames(target.bucket, [target.key]));
  if (found.length > 0) throw s3Failure('PreconditionFailed');
}

async function assembleParts(
  request: S3Request,
  upload: UploadRow,
  parts: readonly PartRow[],
): Promise<string> {
  const { context, access, target } = request;
  const stat = await context.store.completeParts(
    partsNameOf(upload),
    parts.map(({ part_number, etag }) => ({ partNumber: part_number, eTag: etag })),
  );
  const { mimetype = DEFAULT_TYPE, cacheControl = DEFAULT_CACHE } = upload.metadata ?? {};
  const row = {
    ...target,
    ...ownerOf(access.caller),
    version: upload.version,
    metadata: metadataOf({ stat, mimeType: mimetype, cacheControl }),
    userMetadata: upload.user_metadata ?? {},
  };
  const replaced = await saveRow(request, upload.id, row);
  context.metrics.written.inc({ by: 's3' });
  context.metrics.writtenBytes.inc({ by: 's3' }, stat.size);
  await removeContentOfDeleted(context, replaced);
  return stat.eTag;
}

/**
 * Writes the object's row and deletes the upload's row in one transaction. So only one of several concurrent
 * completions succeeds, and a request that deletes the upload otherwise may remove its content. On failure the content
 * remains for a retry, and may be copied.
 */
async function saveRow(request: S3Request, uploadId: string, row: NewObject): Promise<RowContent[]> {
  const { access, context } = request;
  const { bucket, key } = row;
  const isNew = requiresNewObject(request);
  context.contentCopies?.written(row);
  try {
    return await context.database.transaction(async (tx) => {
      const locks = lockKeys(row);
      // All transactions lock rows of objects first, then rows of uploads and of sums, which prevents deadlocks.
      const write = isNew ? insertNewObject(row) : upsertObject(row);
      const statements = asService(access, [lockVersion(bucket, key), write]);
      const results = await tx.batch([...locks, ...statements, AS_OWNER, deleteUpload(uploadId)]);
      const [, before = [], written = [], , deleted = []] = results.slice(locks.length);
      if (deleted.length === 0) throw failure('NoSuchUpload');
      if (written.length === 0) throw s3Failure('PreconditionFailed');
      await tx.commit();
      return before.map(({ version }) => ({ bucket, key, version: version as string | null }));
    });
  } catch (error) {
    throw mapLockTimeout(error);
  }
}
