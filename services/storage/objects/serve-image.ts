/** Serves rendered images. */
import { createHash } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../caller.ts';
import { dispositionOf } from '../content/disposition.ts';
import { safeHeaders } from '../content/safe-headers.ts';
import { failure } from '../errors.ts';
import { negotiateType, type RequestedType } from '../images/format.ts';
import type { Images } from '../images/images.ts';
import type { Rendered } from '../images/render-job.ts';
import { type Transform, transformationsHeader } from '../images/transform.ts';
import { limitKeysOf } from '../limits.ts';
import { addressOf } from '../request/request-details.ts';
import type { ObjectRow } from '../rows/objects.ts';
import { type Description, describe, setHeaders } from './describe.ts';
import type { ServeOptions } from './serve.ts';

/**
 * Serves the rendered image of a row. Throws the errors of `find`, InvalidRequest if the image cannot be rendered,
 * SlowDown and TooManyRequests, and ContentNotFound if the row has no content.
 */
export async function serveImage(
  images: Images,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<ObjectRow>,
  transform: Transform,
  options: ServeOptions,
): Promise<FastifyReply> {
  const type = negotiateType(transform, request.headers.accept);
  if (transform.format === undefined) addVary(reply, 'Accept');
  let row = await find();
  for (;;) {
    const description = describe(row);
    const headers = headersOf(request, row, description, { transform, type, ...options });
    if (request.headers['if-none-match'] === headers.etag) {
      setHeaders(reply, headers);
      return reply.code(304).send();
    }
    const rendered = await renderRow(images, row, description, {
      transform,
      type,
      client: limitKeysOfRequest(request),
    });
    if (rendered !== undefined) {
      setHeaders(reply, { ...headers, ...safeHeaders(rendered.mediaType) });
      return reply.send(rendered.data);
    }
    const now = await find();
    // A changed version means that the object was overwritten before it was read, so it is retried.
    if (now.version === row.version)
      throw failure('ContentNotFound', { headers: { 'cache-control': 'no-store' } });
    row = now;
  }
}

interface Rendering {
  transform: Transform;
  type: RequestedType;
}

function limitKeysOfRequest(request: FastifyRequest): readonly string[] {
  const caller = request.storageCaller ?? ANONYMOUS;
  return limitKeysOf({ caller, request: { address: addressOf(request) } });
}

/** Renders the content of a row; undefined if the content does not exist. */
async function renderRow(
  images: Images,
  { bucket_id: bucket, name: key, version }: ObjectRow,
  { size }: Description,
  { transform, type, client }: Rendering & { client: readonly string[] },
): Promise<Rendered | undefined> {
  if (version === null) return undefined;
  try {
    return await images.render({ bucket, key, version, size }, transform, type, client);
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'NoSuchKey') return undefined;
    throw error;
  }
}

function headersOf(
  { headers }: FastifyRequest,
  row: ObjectRow,
  description: Description,
  { transform, type, download, expiresAt }: Rendering & ServeOptions,
) {
  const transformations = transformationsHeader(transform);
  // Each combination of version, type and transformations has its own ETag.
  const etag = `"${createHash('md5').update(`${row.version} ${type} ${transformations}`).digest('hex')}"`;
  const isStale = headers['if-none-match'] !== undefined;
  return {
    etag,
    'last-modified': description.lastModified?.toUTCString(),
    'x-robots-tag': description.robotsTag ?? 'none',
    ...(expiresAt === undefined
      ? { 'cache-control': cacheControlOf(description, isStale && headers['if-none-match'] !== etag) }
      : { expires: new Date(expiresAt * 1000).toUTCString() }),
    'x-transformations': transformations,
    'content-disposition': dispositionOf(download),
  };
}

/** Appends to an existing header. */
function addVary(reply: FastifyReply, name: string): void {
  reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '));
}

function cacheControlOf({ cacheControl }: Description, isStale: boolean): string {
  return [cacheControl, isStale && 'stale-while-revalidate=30'].filter(Boolean).join(', ');
}
