/** Serves content and metadata of objects. */
import { CatalogueError } from '@greenroom/errors';
import type { FairQueue } from '@greenroom/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../caller.ts';
import { effectiveRange, isNotModified } from '../content/conditions.ts';
import { dispositionOf } from '../content/disposition.ts';
import { parseRange, sizeHeaders } from '../content/range.ts';
import { safeHeaders } from '../content/safe-headers.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { acquireSlot, limitKeysOf } from '../limits.ts';
import { addressOf } from '../request/request-details.ts';
import type { ObjectRow } from '../rows/objects.ts';
import { type Description, describe, infoOf, setHeaders } from './describe.ts';

/** Options of a response with an object. */
export interface ServeOptions {
  /** Query parameter: if present, even empty, browsers save the content as a file. */
  download?: string | undefined;
  /** Expiry of the link that the object is fetched by, in seconds since the epoch. */
  expiresAt?: number | undefined;
}

/** Attempts to read content, which is retried if the object is overwritten meanwhile. */
const ATTEMPTS = 3;
const UNKNOWN_ROBOTS = 'none';

/**
 * Serves the content. Throws the errors of `find`, InvalidRange, TooManyRequests, and ContentNotFound if a row has no
 * content, which is only possible if SQL wrote the row.
 */
export async function serveContent(
  { store, limits }: Pick<Context, 'store' | 'limits'>,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<ObjectRow>,
  options: ServeOptions,
): Promise<FastifyReply> {
  const client = limitKeysOf({
    caller: request.storageCaller ?? ANONYMOUS,
    request: { address: addressOf(request) },
  });
  await reserveSlot(limits.downloads, client, reply);
  const limiter = limits.reads.forClient(client);
  let row = await find();
  for (let attempt = 1; ; attempt += 1) {
    const description = await completed(store, row, describe(row));
    if (isNotModified(request.headers, description)) {
      setHeaders(reply, { ...headersOf(description, options, cacheControlOf(request, description)) });
      return reply.code(304).send();
    }
    const range = parseRange(effectiveRange(request.headers, description), description.size);
    const { bucket_id: bucket, name: key, version } = row;
    const content = await store
      .read({ bucket, key, version: version ?? '' }, range, limiter)
      .catch(undefinedIfMissing);
    if (content !== undefined) {
      const { status, headers } = sizeHeaders(description.size, range);
      setHeaders(reply, {
        ...headersOf(description, options, cacheControlOf(request, description)),
        ...headers,
      });
      return reply.code(status).send(content);
    }
    const now = await find();
    if (now.version === version || attempt === ATTEMPTS) throw missing();
    row = now;
  }
}

/** Holds a download slot until the response is closed. Throws TooManyRequests. */
async function reserveSlot(
  downloads: FairQueue,
  client: readonly string[],
  reply: FastifyReply,
): Promise<void> {
  const release = await acquireSlot(downloads, client);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Responds to HEAD from the row, without reading the content. */
export function serveHead(request: FastifyRequest, reply: FastifyReply, row: ObjectRow): FastifyReply {
  const description = describe(row);
  const ifNoneMatch = request.headers['if-none-match'];
  const isStale = ifNoneMatch !== undefined && ifNoneMatch !== description.eTag;
  const cacheControl = joined(description.cacheControl, isStale && 'must-revalidate');
  setHeaders(reply, { ...headersOf(description, {}, cacheControl), 'content-length': description.size });
  return reply.code(200).send();
}

/** Responds with the metadata of the row as JSON, and with the validators of the content as headers. */
export function serveInfo(reply: FastifyReply, row: ObjectRow): FastifyReply {
  const { eTag, lastModified, cacheControl } = describe(row);
  setHeaders(reply, {
    etag: eTag,
    'last-modified': lastModified?.toUTCString(),
    'cache-control': cacheControl,
  });
  return reply.send(infoOf(row));
}

type Completed = Description & { size: number };

/** Adds the size from the store if the row does not have it. */
async function completed(
  store: Context['store'],
  { bucket_id: bucket, name: key, version }: ObjectRow,
  description: Description,
): Promise<Completed> {
  if (version === null) throw missing();
  if (description.size !== undefined) return description as Completed;
  const stat = await store.stat({ bucket, key, version }).catch(undefinedIfMissing);
  if (stat === undefined) throw missing();
  return { ...description, size: stat.size };
}

function headersOf(
  description: Description,
  { download, expiresAt }: ServeOptions,
  cacheControl: string | undefined,
) {
  return {
    'accept-ranges': 'bytes',
    ...safeHeaders(description.mimeType),
    etag: description.eTag,
    'last-modified': description.lastModified?.toUTCString(),
    'x-robots-tag': description.robotsTag ?? UNKNOWN_ROBOTS,
    ...(expiresAt === undefined
      ? { 'cache-control': cacheControl }
      : { expires: new Date(expiresAt * 1000).toUTCString() }),
    'content-disposition': dispositionOf(download),
  };
}

function cacheControlOf(
  { headers }: FastifyRequest,
  { cacheControl, eTag }: Description,
): string | undefined {
  const ifNoneMatch = headers['if-none-match'];
  return joined(
    cacheControl,
    ifNoneMatch !== undefined && ifNoneMatch !== eTag && 'stale-while-revalidate=30',
  );
}

function joined(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return undefined;
  throw error;
}

function missing(): CatalogueError {
  return failure('ContentNotFound', { headers: { 'cache-control': 'no-store' } });
}
