/** ListParts and ListMultipartUploads: list the uploads and parts that policies permit the caller to see. */
import { requireBucket } from '../../buckets/read.ts';
import { listAsCaller } from '../../queries.ts';
import { encoderOf } from '../operations/encoding-type.ts';
import { numberOf, type Operation } from '../request/s3-request.ts';
import { xmlDocument } from '../xml/write.ts';
import { type ListedUpload, type PartRow, selectParts, selectUploads } from './rows.ts';
import { requireVisibleUpload } from './upload.ts';

const MAX_LIMIT = 1000;

/** ListParts. Lists parts by number. */
export const LIST_PARTS: Operation = {
  name: 'storage.s3.upload.list_parts',
  async run(request) {
    const { context, access, target } = request;
    const limit = numberOf(request, 'max-parts', { min: 1, max: MAX_LIMIT }) ?? MAX_LIMIT;
    const after = numberOf(request, 'part-number-marker', { min: 0 });
    const { id } = await requireVisibleUpload(request);
    const statement = selectParts(id, after ?? 0, limit + 1);
    const rows = await listAsCaller<PartRow>(context, access, statement);
    const parts = rows.slice(0, limit);
    const isTruncated = rows.length > limit;
    return {
      xml: xmlDocument('ListPartsResult', {
        Bucket: target.bucket,
        Key: target.key,
        UploadId: id,
        PartNumberMarker: after,
        NextPartNumberMarker: isTruncated ? parts.at(-1)?.part_number : undefined,
        MaxParts: limit,
        IsTruncated: isTruncated,
        Part: parts.map(({ part_number, created_at, etag, size }) => ({
          PartNumber: part_number,
          LastModified: created_at,
          ETag: etag,
          Size: size,
        })),
      }),
    };
  },
};

/** ListMultipartUploads. Lists uploads by key, and common prefixes. */
export const LIST_MULTIPART: Operation = {
  name: 'storage.s3.upload.list_multipart',
  async run(request) {
    const { context, access, target, query } = request;
    const { bucket } = target;
    const limit = numberOf(request, 'max-uploads', { min: 1, max: MAX_LIMIT }) ?? MAX_LIMIT;
    const encode = encoderOf(query);
    await requireBucket(context, bucket);
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const [keyMarker = '', idMarker = ''] = [query.get('key-marker'), query.get('upload-id-marker')];
    // Without `key-marker`, S3 ignores `upload-id-marker`.
    const after =
      keyMarker === '' ? undefined : { key: keyMarker, id: idMarker === '' ? undefined : idMarker };
    const statement = selectUploads({ bucket, prefix, delimiter, after, limit: limit + 1 });
    const rows = await listAsCaller<ListedUpload>(context, access, statement);
    const listed = rows.slice(0, limit);
    const isTruncated = rows.length > limit;
    const last = isTruncated ? listed.at(-1) : undefined;
    return {
      xml: xmlDocument('ListMultipartUploadsResult', {
        Bucket: bucket,
        Prefix: encode(prefix),
        KeyMarker: encode(keyMarker),
        UploadIdMarker: idMarker,
        NextKeyMarker: last && encode(last.key),
        NextUploadIdMarker: last && (last.id ?? ''),
        Delimiter: delimiter === '' ? undefined : encode(delimiter),
        EncodingType: query.get('encoding-type'),
        MaxUploads: limit,
        IsTruncated: isTruncated,
        Upload: listed.flatMap(({ id, key, created_at }) =>
          id === null || created_at === null
            ? []
            : [{ Key: encode(key), UploadId: id, Initiated: created_at, StorageClass: 'STANDARD' }],
        ),
        CommonPrefixes: listed.flatMap(({ id, key }) => (id === null ? [{ Prefix: encode(key) }] : [])),
      }),
    };
  },
};
