/** GetObject, HeadObject and GetObjectTagging. */
import { CatalogueError } from '@greenroom/errors';
import { failure } from '../../errors.ts';
import { type Description, describe } from '../../objects/describe.ts';
import { findVisible } from '../../objects/find.ts';
import { parseRange, safeHeaders } from '../../objects/plain-http.ts';
import type { ObjectRow } from '../../objects/rows.ts';
import type { ByteRange } from '../../store/object-store.ts';
import { headerOf, type Operation, type S3Answer, type S3Request } from '../request/s3-request.ts';
import { xmlDocument } from '../xml/write.ts';
import { userMetadataHeaders } from './user-metadata.ts';

/** So often content is looked for again: it is replaced while somebody is about to read it. */
const ATTEMPTS = 3;

/** Content, or a part of it. */
export const GET_OBJECT: Operation = {
  name: 'storage.s3.object.get',
  async run(request) {
    const overrides = overridesOf(request.query);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const row = await findVisible(request.context, request.asking, request.target);
      const answer = await read(request, row);
      if (answer !== undefined) return { ...answer, headers: { ...answer.headers, ...overrides } };
    }
    throw failure('NoSuchKey');
  },
};

/** What the row says. */
export const HEAD_OBJECT: Operation = {
  name: 'storage.s3.object.info',
  async run(request) {
    const row = await findVisible(request.context, request.asking, request.target);
    const told = describe(row);
    const headers = headersOf(row, told);
    if (isUnchanged(request, told)) return { status: 304, headers };
    return { headers: { ...headers, 'content-length': String(told.size ?? 0) } };
  },
};

/** Objects have no tags. */
export const GET_OBJECT_TAGGING: Operation = {
  name: 'storage.s3.object.get_tagging',
  async run({ context, asking, target }) {
    await findVisible(context, asking, target);
    return { xml: xmlDocument('Tagging', { TagSet: '' }) };
  },
};

/** Undefined where the content is no longer there. Throws InvalidRange. */
async function read(request: S3Request, row: ObjectRow): Promise<S3Answer | undefined> {
  const told = describe(row);
  const { bucket_id: bucket, name: key, version } = row;
  if (version === null) throw failure('NoSuchKey');
  const { store } = request.context;
  const size = told.size ?? (await store.facts({ bucket, key, version })).size;
  const headers = headersOf(row, told);
  if (isUnchanged(request, told)) return { status: 304, headers };
  const range = parseRange(headerOf(request, 'range'), size);
  const content = await store.read({ bucket, key, version }, range).catch(orMissing);
  return (
    content && { status: range ? 206 : 200, headers: { ...headers, ...sizeHeaders(size, range) }, content }
  );
}

/**
 * The type is told as it is stored, since clients copy it; the other headers see to it that a browser runs nothing of it.
 */
function headersOf(row: ObjectRow, told: Description): Record<string, string | undefined> {
  return {
    ...safeHeaders(told.mimeType),
    'content-type': told.mimeType ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    'cache-control': told.cacheControl,
    etag: told.eTag,
    'last-modified': (told.lastModified ?? row.updated_at)?.toUTCString(),
    ...userMetadataHeaders(row.user_metadata),
  };
}

function sizeHeaders(size: number, range: ByteRange | undefined): Record<string, string> {
  if (range === undefined) return { 'content-length': String(size) };
  return {
    'content-length': String(range.end - range.start + 1),
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
  };
}

function isUnchanged(request: S3Request, { eTag, lastModified }: Description): boolean {
  const tags = headerOf(request, 'if-none-match');
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || unquoted(tag) === unquoted(eTag ?? ''));
  }
  const since = Date.parse(headerOf(request, 'if-modified-since') ?? '');
  return lastModified !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}

function unquoted(tag: string): string {
  return tag.trim().replace(/^(?:W\/)?"|"$/g, '');
}

const OVERRIDES = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
  'response-cache-control': 'cache-control',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
} as const;
/** What HTTP takes as the value of a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** Headers as the query wants them: it is signed. Values that no header can have are passed over. Throws InvalidParameter. */
function overridesOf(query: ReadonlyMap<string, string>): Record<string, string> {
  const found = Object.entries(OVERRIDES).flatMap(([parameter, header]) => {
    const value = query.get(parameter);
    return value !== undefined && HEADER_VALUE.test(value) ? [[header, value]] : [];
  });
  const expires = query.get('response-expires');
  if (expires === undefined) return Object.fromEntries(found);
  const date = new Date(expires);
  if (Number.isNaN(date.getTime())) {
    throw failure('InvalidParameter', { message: 'Invalid Parameter response-expires' });
  }
  return { ...Object.fromEntries(found), expires: date.toUTCString() };
}

function orMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return undefined;
  throw error;
}
