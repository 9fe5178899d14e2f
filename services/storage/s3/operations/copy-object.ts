/** CopyObject. */
import { requireBucket } from '../../buckets/read.ts';
import { failure } from '../../errors.ts';
import { copyObject } from '../../objects/copy.ts';
import { describe } from '../../objects/describe.ts';
import { findVisible } from '../../objects/find.ts';
import type { ObjectRow } from '../../objects/rows.ts';
import { s3Failure } from '../errors.ts';
import { headerOf, type Operation, type S3Request, userMetadataOf } from '../request/s3-request.ts';
import { readCopySource } from '../request/target.ts';
import { xmlDocument } from '../xml/write.ts';
import { DEFAULT_CACHE, DEFAULT_TYPE } from './put-object.ts';

/** Copies one that the caller may read, and overwrites what is there. */
export const COPY_OBJECT: Operation = {
  name: 'storage.s3.object.copy',
  async run(request) {
    const { context, asking, target } = request;
    const from = readCopySource(headerOf(request, 'x-amz-copy-source') ?? '');
    await requireBucket(context, target.bucket);
    if (hasConditions(request)) requireConditions(request, await findVisible(context, asking, from));
    const row = await copyObject(context, asking, {
      from,
      to: target,
      isUpsert: true,
      ...(replacesMetadata(request) && {
        replaced: {
          mimetype: headerOf(request, 'content-type') ?? DEFAULT_TYPE,
          cacheControl: headerOf(request, 'cache-control') ?? DEFAULT_CACHE,
          keepsOthers: true,
          userMetadata: userMetadataOf(request),
        },
      }),
    });
    const { eTag, lastModified } = describe(row);
    return { xml: xmlDocument('CopyObjectResult', { ETag: eTag, LastModified: lastModified }) };
  },
};

/** Throws InvalidRequest. */
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

/** Throws PreconditionFailed. An ETag that is asked for counts more than a time (RFC 9110 §13.2.2). */
export function requireConditions(request: S3Request, row: ObjectRow): void {
  const { eTag = '', lastModified } = describe(row);
  const [match, noneMatch] = [sent('match'), sent('none-match')];
  const time = Math.floor((lastModified ?? new Date(0)).getTime() / 1000) * 1000;
  const isWrong =
    match === undefined ? time > timeOf('unmodified-since', Number.POSITIVE_INFINITY) : !names(match);
  const isUnchanged =
    noneMatch === undefined ? time <= timeOf('modified-since', Number.NEGATIVE_INFINITY) : names(noneMatch);
  if (isWrong || isUnchanged) throw s3Failure('PreconditionFailed');

  function sent(name: string): string | undefined {
    return headerOf(request, CONDITION + name);
  }
  function names(tags: string): boolean {
    return tags.split(',').some((tag) => tag.trim() === '*' || unquoted(tag) === unquoted(eTag));
  }
  function timeOf(name: string, otherwise: number): number {
    const date = Date.parse(sent(name) ?? '');
    return Number.isNaN(date) ? otherwise : date;
  }
}

function unquoted(tag: string): string {
  return tag.trim().replace(/^"|"$/g, '');
}
