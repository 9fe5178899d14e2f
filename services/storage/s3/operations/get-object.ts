/** GetObject, HeadObject and GetObjectTagging. */
import { CatalogueError } from '@greenroom/errors';
import { effectiveRange, isNotModified } from '../../content/conditions.ts';
import { parseRange, sizeHeaders } from '../../content/range.ts';
import { safeHeaders, safeValue } from '../../content/safe-headers.ts';
import { failure } from '../../errors.ts';
import { limitKeysOf } from '../../limits.ts';
import { type Description, describe } from '../../objects/describe.ts';
import { findVisible } from '../../objects/find.ts';
import type { ObjectRow } from '../../rows/objects.ts';
import type { Operation, S3Request, S3Response } from '../request/s3-request.ts';
import { xmlDocument } from '../xml/write.ts';
import { DEFAULT_TYPE } from './put-object.ts';
import { userMetadataHeaders } from './user-metadata.ts';

/** Attempts to read content, which is retried if the object is overwritten meanwhile. */
const ATTEMPTS = 3;

/** GetObject. Serves content or a range of it. */
export const GET_OBJECT: Operation = {
  name: 'storage.s3.object.get',
  async run(request) {
    const overrides = overridesOf(request.query);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const row = await findVisible(request.context, request.access, request.target);
      const response = await read(request, row, overrides);
      if (response !== undefined) return response;
    }
    throw failure('NoSuchKey');
  },
};

/** HeadObject. Responds from the row, without reading the content. */
export const HEAD_OBJECT: Operation = {
  name: 'storage.s3.object.info',
  async run(request) {
    const overrides = overridesOf(request.query);
    const row = await findVisible(request.context, request.access, request.target);
    const description = describe(row);
    const headers = headersOf(row, description, overrides);
    if (isNotModified(plainHeaders(request), description)) return { status: 304, headers };
    return { headers: { ...headers, 'content-length': String(description.size ?? 0) } };
  },
};

/** GetObjectTagging. Tags are not supported, so the list is empty. */
export const GET_OBJECT_TAGGING: Operation = {
  name: 'storage.s3.object.get_tagging',
  async run({ context, access, target }) {
    await findVisible(context, access, target);
    return { xml: xmlDocument('Tagging', { TagSet: '' }) };
  },
};

/** Reads content; undefined if it no longer exists. Throws InvalidRange. */
async function read(
  request: S3Request,
  row: ObjectRow,
  overrides: Overrides,
): Promise<S3Response | undefined> {
  const description = describe(row);
  const { bucket_id: bucket, name: key, version } = row;
  if (version === null) throw failure('NoSuchKey');
  const { store, limits } = request.context;
  const limiter = limits.reads.forClient(limitKeysOf(request.access));
  const size = description.size ?? (await store.stat({ bucket, key, version })).size;
  const headers = headersOf(row, description, overrides);
  const conditions = plainHeaders(request);
  if (isNotModified(conditions, description)) return { status: 304, headers };
  const range = parseRange(effectiveRange(conditions, description), size);
  const content = await store.read({ bucket, key, version }, range, limiter).catch(undefinedIfMissing);
  if (content === undefined) return undefined;
  const sized = sizeHeaders(size, range);
  return { status: sized.status, headers: { ...headers, ...sized.headers }, content };
}

/**
 * The content type is sent as stored or as overridden by the query, since clients copy it; the other headers prevent
 * browsers from running scripts in the content.
 */
function headersOf(
  row: ObjectRow,
  description: Description,
  overrides: Overrides,
): Record<string, string | undefined> {
  const type = overrides['content-type'] ?? description.mimeType ?? DEFAULT_TYPE;
  return {
    'accept-ranges': 'bytes',
    'cache-control': description.cacheControl,
    etag: description.eTag,
    'last-modified': (description.lastModified ?? row.updated_at)?.toUTCString(),
    ...userMetadataHeaders(row.user_metadata),
    ...safeHeaders(type),
    ...overrides,
    'content-type': type,
  };
}

function plainHeaders({ headers }: S3Request): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values?.join(', ')]));
}

type Overrides = Readonly<Record<string, string>>;

const OVERRIDES = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
  'response-cache-control': 'cache-control',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
} as const;
/**
 * Reads header overrides from the query, which is signed. Skips values that are invalid in headers. Throws
 * InvalidParameter.
 */
function overridesOf(query: ReadonlyMap<string, string>): Overrides {
  const found = Object.entries(OVERRIDES).flatMap(([parameter, header]) => {
    const value = safeValue(query.get(parameter));
    return value ? [[header, value]] : [];
  });
  const expires = query.get('response-expires');
  if (expires === undefined) return Object.fromEntries(found);
  const date = new Date(expires);
  if (Number.isNaN(date.getTime())) {
    throw failure('InvalidParameter', { message: 'Invalid Parameter response-expires' });
  }
  return { ...Object.fromEntries(found), expires: date.toUTCString() };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return undefined;
  throw error;
}
