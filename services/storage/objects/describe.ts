/** Derives headers and the response of `/object/info` from an object's row. */
import type { FastifyReply } from 'fastify';
import { safeValue } from '../content/safe-headers.ts';
import type { ObjectRow } from '../rows/objects.ts';
import { isRobotsTag } from '../validate/robots-tag.ts';

/** Usable metadata of a row. Rows may have been written by SQL, so invalid fields are undefined. */
export interface Description {
  eTag: string | undefined;
  size: number | undefined;
  mimeType: string | undefined;
  cacheControl: string | undefined;
  lastModified: Date | undefined;
  robotsTag: string | undefined;
}

/** Validates the metadata of a row. */
export function describe({ metadata }: Pick<ObjectRow, 'metadata'>): Description {
  const { eTag, size, contentLength, mimetype, cacheControl, lastModified, xRobotsTag } = metadata ?? {};
  const date = new Date(lastModified ?? Number.NaN);
  return {
    eTag: headerValue(eTag),
    size: byteCount(size) ?? byteCount(contentLength),
    mimeType: headerValue(mimetype),
    cacheControl: headerValue(cacheControl),
    lastModified: Number.isNaN(date.getTime()) ? undefined : date,
    robotsTag: typeof xRobotsTag === 'string' && isRobotsTag(xRobotsTag) ? xRobotsTag : undefined,
  };
}

/** Sets response headers, and skips undefined and empty values. */
export function setHeaders(
  reply: FastifyReply,
  headers: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && value !== '') reply.header(name, value);
  }
}

/** Builds the response body of `/object/info`. */
export function infoOf(row: ObjectRow): Record<string, unknown> {
  const { metadata } = row;
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: byteCount(metadata?.size) ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: row.user_metadata,
    last_modified: row.updated_at,
    created_at: row.created_at,
  };
}

function headerValue(value: unknown): string | undefined {
  return typeof value === 'string' ? safeValue(value) || undefined : undefined;
}

function byteCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
