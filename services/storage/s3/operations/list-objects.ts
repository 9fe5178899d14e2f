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
    const { last, fields, count, encode } = await list(request, after);
    const startAfter = query.get('start-after');
    return {
      xml: xmlDocument('ListBucketResult', {
        ...fields,
        KeyCount: count,
        ContinuationToken: token,
        NextContinuationToken: last === undefined ? undefined : writeToken(last),
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
    const { last, fields, encode } = await list(request, marker);
    const next = last !== undefined && request.query.get('delimiter') ? encode(last) : undefined;
    return {
      xml: xmlDocument('ListBucketResult', { ...fields, Marker: encode(marker), NextMarker: next }),
    };
  },
};

interface Listed {
  /** Last key or prefix of a truncated list; undefined if the list is complete. */
  last: string | undefined;
  count: number;
  fields: XmlFields;
  encode: (text: string) => string;
}

async function list(request: S3Request, after: string): Promise<Listed> {
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
  const folderOf = ({ name }: ListedObject) => `${name}${delimiter}`;
  const lastRow = isTruncated ? listed.at(-1) : undefined;
  return {
    last: lastRow && (lastRow.id === null ? folderOf(lastRow) : lastRow.name),
    count: listed.length,
    encode,
    fields: {
      Name: bucket,
      Prefix: encode(prefix),
      Delimiter: delimiter === '' ? undefined : encode(delimiter),
      MaxKeys: limit,
      EncodingType: query.get('encoding-type'),
      IsTruncated: isTruncated,
      Contents: listed.filter(({ id }) => id !== null).map((row) => contents(row, encode)),
      CommonPrefixes: listed
        .filter(({ id }) => id === null)
        .map((row) => ({ Prefix: encode(folderOf(row)) })),
    },
  };
}

function contents({ name, updated_at, metadata }: ListedObject, encode: (text: string) => string): XmlFields {
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
