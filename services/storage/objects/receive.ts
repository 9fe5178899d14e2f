/** What a request brings to be stored: its body is the content, or a form that has it. */
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';
import { readMetadataHeader } from '../validate/user-metadata.ts';
import type { IncomingContent } from './upload.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const DEFAULT_CACHE_CONTROL = 'no-cache';

/** The content of a request, not yet read. Throws NoContentProvided where it has none. */
export async function receiveContent(request: FastifyRequest, _maxBytes: number): Promise<IncomingContent> {
  const { raw, headers } = request;
  if (raw.destroyed) throw failure('NoContentProvided');
  const robotsTag = headers['x-robots-tag'];
  const size = sizeOf(headers['content-length'], headers['transfer-encoding']);
  return {
    content: raw,
    mimeType: headers['content-type'] || DEFAULT_TYPE,
    cacheControl: headers['cache-control'] || DEFAULT_CACHE_CONTROL,
    size,
    declaredSize: size,
    robotsTag: typeof robotsTag === 'string' && robotsTag !== '' ? robotsTag : undefined,
    userMetadata: readMetadataHeader(headers['x-metadata']),
  };
}

/** Without either header there is no body. */
function sizeOf(contentLength: string | undefined, transferEncoding: string | undefined): number | undefined {
  if (transferEncoding !== undefined) return undefined;
  return Number(contentLength ?? 0);
}
