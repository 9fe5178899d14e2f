/** UploadPart and UploadPartCopy: write a part from the request or from an existing object. */
import type { Readable } from 'node:stream';
import { requireBucket } from '../../buckets/read.ts';
import { ownerOf } from '../../caller.ts';
import { failure } from '../../errors.ts';
import { limitKeysOf, runLimited } from '../../limits.ts';
import { sizeOf } from '../../objects/size.ts';
import type { ObjectRow } from '../../rows/objects.ts';
import { selectObject } from '../../rows/objects.ts';
import { asCaller } from '../../scope.ts';
import type { ByteRange, ContentStat } from '../../store/object-store.ts';
import { maxBytesOf } from '../../validate/size-limit.ts';
import { s3Failure } from '../errors.ts';
import { headerOf, numberOf, type Operation, type S3Request } from '../request/s3-request.ts';
import { readCopySource } from '../request/target.ts';
import { xmlDocument } from '../xml/write.ts';
import { lockUpload, replacePart, sumOtherParts, type UploadRow } from './rows.ts';
import { partsNameOf, requireUpload } from './upload.ts';

const MAX_PART_NUMBER = 10_000;

/** UploadPart. */
export const UPLOAD_PART: Operation = {
  name: 'storage.s3.upload.part',
  async run(request) {
    const { body, context, access } = request;
    const { length } = body;
    if (length === undefined) throw failure('MissingContentLength');
    const upload = await requireUpload(request);
    const { uploads } = context.limits;
    const write = () => writePart(request, upload, length, async () => body.open());
    const { eTag } = await runLimited(uploads, limitKeysOf(access), write);
    return { headers: { etag: eTag, 'access-control-expose-headers': 'etag' } };
  },
};

/** UploadPartCopy. Copies a part from an object that the caller may read. */
export const UPLOAD_PART_COPY: Operation = {
  name: 'storage.s3.upload.part_copy',
  async run(request) {
    const { context, access } = request;
    const source = readCopySource(headerOf(request, 'x-amz-copy-source') ?? '');
    const [row] = await asCaller<ObjectRow>(
      context.database,
      access.caller,
      access.request,
      selectObject(source.bucket, source.key),
    );
    if (row?.version == null) throw failure('NoSuchKey');
    const range = readCopyRange(headerOf(request, 'x-amz-copy-source-range'), await sizeOf(context, row));
    const upload = await requireUpload(request);
    const name = { ...source, version: row.version };
    const size = range.end - range.start + 1;
    const open = () => context.store.read(name, size === 0 ? undefined : range);
    const write = () => writePart(request, upload, size, open);
    const stat = await runLimited(context.limits.uploads, limitKeysOf(access), write);
    return {
      xml: xmlDocument('CopyPartResult', { ETag: stat.eTag, LastModified: stat.lastModified }),
    };
  },
};

/** Parses `bytes=first-last`; S3 allows no other form here, and does not shorten a range. Throws InvalidArgument. */
function readCopyRange(header: string | undefined, size: number): ByteRange {
  if (header === undefined) return { start: 0, end: size - 1 };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header.trim()) ?? [];
  if (first === undefined) {
    throw s3Failure('InvalidArgument', { message: 'x-amz-copy-source-range must be bytes=first-last' });
  }
  const [start, end] = [Number(first), Number(last)];
  if (start > end || end >= size) {
    const message = `x-amz-copy-source-range is not valid for a source of ${size} bytes`;
    throw s3Failure('InvalidArgument', { message });
  }
  return { start, end };
}

/**
 * Writes a part and its row. The sum of all parts must not exceed the limit. It is checked before the part is written,
 * and again together with the row, since other parts may have been added meanwhile.
 */
async function writePart(
  request: S3Request,
  upload: UploadRow,
  size: number,
  open: () => Promise<Readable>,
): Promise<ContentStat> {
  const { context, access, target } = request;
  const partNumber = numberOf(request, 'partNumber', { min: 1, max: MAX_PART_NUMBER });
  if (partNumber === undefined) {
    throw failure('MissingParameter', { message: 'Missing Required Parameter PartNumber' });
  }
  const { file_size_limit: bucketLimit } = await requireBucket(context, target.bucket);
  const instanceLimit = context.config.maxObjectBytes;
  const maxBytes = maxBytesOf({ key: target.key, bucketLimit, instanceLimit });
  const requireWithinLimit = ([others]: { size?: unknown }[], bytes: number) => {
    if (Number(others?.size) + bytes > maxBytes) throw failure('EntityTooLarge');
  };
  const sum = sumOtherParts(upload.id, partNumber);
  requireWithinLimit(await context.database.query(sum), size);
  const name = { ...partsNameOf(upload), partNumber };
  const { ownerId } = ownerOf(access.caller);
  const spaceRequest = { ...target, ownerId, isUpsert: false, maxBytes: size, size };
  return context.quotas.withReservation(spaceRequest, async (reservation) => {
    const stat = await context.store.writePart(name, await open(), { maxBytes: size, bytes: size });
    const { id: uploadId, version } = upload;
    const part = { ...target, uploadId, version, ownerId, partNumber, size: stat.size, eTag: stat.eTag };
    await context.database.transaction(async (tx) => {
      const [locked = [], others = []] = await tx.batch([lockUpload(uploadId), sum]);
      if (locked.length === 0) throw failure('NoSuchUpload');
      requireWithinLimit(others, stat.size);
      await tx.commit([...replacePart(part), ...reservation.release]);
    });
    return stat;
  });
}
