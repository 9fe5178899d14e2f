/** ListObjectsV2 and ListObjects: list keys in byte order, and common prefixes. */
import { requireBucket } from '../../buckets/read.ts';
import { failure } from '../../errors.ts';
import { listAsCaller } from '../../queries.ts';
import { numberOf, type Operation, type S3Request } from '../request/s3-request.ts';
import { type XmlFields, xmlDocument } from '../xml/write.ts';
import { encoderOf } from './encoding-type.ts';
import { type ListedObject, selectListed } from './list-rows.ts';

const MAX_LIMIT = 1000;
const TOKEN_PREFIX = 'l:';

/** ListObjectsV2. Continuation tokens are opaque to clients. */
export const LIST_OBJECTS_V2: Operation = {
  name: 'storage.s3.object.list',
  async run(request) {
    const { query } = request;
    const token = query.get('continuation-token');
    const after = token ? readToken(token) : (query.get('start-after') ?? '');
    const { last, fields, contents, commonPrefixes, encode } = await listContents(request, after);
    const startAfter = query.get('start-after');
    return {
      xml: xmlDocument('ListBucketResult', {
        ...fields,
        Contents: contents,
        CommonPrefixes: commonPrefixes,
        KeyCount: contents.length + commonPrefixes.length,
        ContinuationToken: token,
        NextContinuationToken: last && writeToken(last.key),
        StartAfter: startAfter && encode(startAfter),
      }),
    };
  },
};

/** ListObjects. The last key is the marker; as in S3, it is only returned if there is a delimiter. */
export const LIST_OBJECTS: Operation = {
  name: 'storage.s3.object.list',
  async run(request) {
    const marker = request.query.get('marker') ?? '';
    const { last, fields, contents, commonPrefixes, encode } = await listContents(request, marker);
    const next = last !== undefined && request.query.get('delimiter') ? encode(last.key) : undefined;
    return {
      xml: xmlDocument('ListBucketResult', {
        ...fields,
        Contents: contents,
        CommonPrefixes: commonPrefixes,
        Marker: encode(marker),
        NextMarker: next,
      }),
    };
  },
};

/** A page of a list. */
interface ListedPage {
  objects: ListedObject[];
  commonPrefixes: XmlFields[];
  /** Last key or common prefix of a truncated list; undefined if the list is complete. */
  last: { key: string; isPrefix: boolean } | undefined;
  /** Fields that all lists have. */
  fields: XmlFields;
  encode: (text: string) => string;
}

/** Lists the objects after a key that the caller may see. Throws NoSuchBucket and InvalidRequest. */
export async function listPage(request: S3Request, after: string): Promise<ListedPage> {
  const { context, access, target, query } = request;
  const { bucket } = target;
  const limit = Math.min(numberOf(request, 'max-keys', { min: 0 }) ?? MAX_LIMIT, MAX_LIMIT);
  const encode = encoderOf(query);
  const [prefix = '', delimiter = ''] = [query.get('prefix'), query.get('delimiter')];
  await requireBucket(context, bucket);
  const statement = selectListed({ bucket, prefix, delimiter, after, limit: limit + 1 });
  const rows = limit === 0 ? [] : await listAsCaller<ListedObject>(context, access, statement);
  const listed = rows.slice(0, limit);
  const isTruncated = rows.length > limit;
  const keyOf = ({ id, name }: ListedObject) => (id === null ? `${name}${delimiter}` : name);
  const lastRow = isTruncated ? listed.at(-1) : undefined;
  return {
    objects: listed.filter(({ id }) => id !== null),
    commonPrefixes: listed.filter(({ id }) => id === null).map((row) => ({ Prefix: encode(keyOf(row)) })),
    last: lastRow && { key: keyOf(lastRow), isPrefix: lastRow.id === null },
    encode,
    fields: {
      Name: bucket,
      Prefix: encode(prefix),
      Delimiter: delimiter === '' ? undefined : encode(delimiter),
      MaxKeys: limit,
      EncodingType: query.get('encoding-type'),
      IsTruncated: isTruncated,
    },
  };
}

async function listContents(
  request: S3Request,
  after: string,
): Promise<ListedPage & { contents: XmlFields[] }> {
  const page = await listPage(request, after);
  return { ...page, contents: page.objects.map((row) => contentsOf(row, page.encode)) };
}

/** Formats an object of a list. */
export function contentsOf(
  { name, updated_at, metadata }: ListedObject,
  encode: (text: string) => string,
): XmlFields {
  return {
    Key: encode(name),
    LastModified: updated_at ?? undefined,
    ETag: metadata?.eTag,
    Size: metadata?.size ?? 0,
    StorageClass: 'STANDARD',
  };
}

function writeToken(last: string): string {
  return Buffer.from(TOKEN_PREFIX + last).toString('base64');
}

/** Decodes a continuation token. Throws InvalidParameter. */
function readToken(token: string): string {
  const text = Buffer.from(token, 'base64').toString('utf8');
  if (!text.startsWith(TOKEN_PREFIX) || Buffer.from(text).toString('base64') !== token) {
    throw failure('InvalidParameter', { message: 'Invalid Parameter continuation token' });
  }
  return text.slice(TOKEN_PREFIX.length);
}
