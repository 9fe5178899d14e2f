import { requireBucket } from '../../buckets/read.ts';
import { failure } from '../../errors.ts';
import { copyObject } from '../../objects/copy.ts';
import { describe } from '../../objects/describe.ts';
import { findVisible } from '../../objects/find.ts';
import type { ObjectRow } from '../../rows/objects.ts';
import { s3Failure } from '../errors.ts';
import { headerOf, type Operation, type S3Request, userMetadataOf } from '../request/s3-request.ts';
import { readCopySource } from '../request/target.ts';
import { xmlDocument } from '../xml/write.ts';
import { DEFAULT_CACHE, DEFAULT_TYPE } from './put-object.ts';

/** CopyObject. Copies an object that the caller may read, and overwrites an existing one. */
export const COPY_OBJECT: Operation = {
  name: 'storage.s3.object.copy',
  async run(request) {
    const { context, access, target } = request;
    const from = readCopySource(headerOf(request, 'x-amz-copy-source') ?? '');
    await requireBucket(context, target.bucket);
    if (hasConditions(request)) requireConditions(request, await findVisible(context, access, from));
    const row = await copyObject(context, access, {
      from,
      to: target,
      isUpsert: true,
      ...(replacesMetadata(request) && {
        replaced: {
          mimetype: headerOf(request, 'content-type') ?? DEFAULT_TYPE,
          cacheControl: headerOf(request, 'cache-control') ?? DEFAULT_CACHE,
          keepsOtherFields: true,
          userMetadata: userMetadataOf(request),
        },
      }),
    });
    const { eTag, lastModified } = describe(row);
    return { xml: xmlDocument('CopyObjectResult', { ETag: eTag, LastModified: lastModified }) };
  },
};

/** Whether the copy gets new metadata. Throws InvalidRequest. */
function replacesMetadata(request: S3Request): boolean {
  const directive = headerOf(request, 'x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw failure('InvalidRequest', { message: 'Header x-amz-metadata-directive must be COPY or REPLACE' });
  }
  return directive === 'REPLACE';
}

const CONDITION = 'x-amz-copy-source-if-';

function hasConditions({ headers }: S3Request): boolean {
  return Object.keys(headers).some((name) => name.startsWith(CONDITION));
}

/**
 * Checks conditions on the source. Conditions on ETags take precedence over conditions on times (RFC 9110 §13.2.2).
 * Throws PreconditionFailed.
 */
function requireConditions(request: S3Request, row: ObjectRow): void {
  const { eTag = '', lastModified } = describe(row);
  const sent = (name: string) => headerOf(request, CONDITION + name);
  const [match, noneMatch] = [sent('match'), sent('none-match')];
  const time = Math.floor((lastModified ?? new Date(0)).getTime() / 1000) * 1000;
  const isOther =
    match === undefined ? time > (timeOf(sent('unmodified-since')) ?? time) : !names(match, eTag);
  const signaturesEqual =
    noneMatch === undefined
      ? time <= (timeOf(sent('modified-since')) ?? Number.NEGATIVE_INFINITY)
      : names(noneMatch, eTag);
  if (isOther || signaturesEqual) throw s3Failure('PreconditionFailed');
}

function names(tags: string, eTag: string): boolean {
  return tags.split(',').some((tag) => tag.trim() === '*' || unquoted(tag) === unquoted(eTag));
}

/** Milliseconds since the epoch; undefined for an invalid date, which counts as not sent. */
function timeOf(header: string | undefined): number | undefined {
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function unquoted(tag: string): string {
  return tag.trim().replace(/^"|"$/g, '');
}
