/** Receives the content of an upload request: the raw body, or the file of a form. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { failure } from '../errors.ts';
import { readMetadataHeader, readUserMetadata, type UserMetadata } from '../validate/user-metadata.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const DEFAULT_CACHE_CONTROL = 'no-cache';
const FORM = /^multipart\/form-data/i;

/** Content of an upload that has not been read yet. */
export interface ReceivedContent {
  content: Readable;
  mimeType: string;
  cacheControl: string;
  /** Bytes of the content, if known in advance. */
  size?: number | undefined;
  /** Bytes of the whole request as the client declares them; policies can read this. */
  declaredSize?: number | undefined;
  robotsTag?: string | undefined;
  userMetadata?: UserMetadata | undefined;
}

/** Headers and body of a Node.js request. */
interface UploadRequest {
  headers: IncomingHttpHeaders;
  body: Readable;
}

/**
 * Receives the content of a request. Throws NoContentProvided if it has none, EntityTooLarge for oversized metadata.
 * The caller must drain or drop the unread rest of the body.
 */
export async function receiveContent(request: UploadRequest): Promise<ReceivedContent> {
  if (request.body.destroyed || request.body.readableEnded) throw failure('NoContentProvided');
  const robotsTag = request.headers['x-robots-tag'];
  return {
    ...(await (FORM.test(request.headers['content-type'] ?? '') ? receiveForm : receiveRaw)(request)),
    robotsTag: typeof robotsTag === 'string' && robotsTag !== '' ? robotsTag : undefined,
  };
}

async function receiveRaw({ headers, body }: UploadRequest): Promise<ReceivedContent> {
  const size = bodyBytes(headers);
  return {
    content: body,
    mimeType: headers['content-type'] || DEFAULT_TYPE,
    cacheControl: headers['cache-control'] || DEFAULT_CACHE_CONTROL,
    size,
    declaredSize: size,
    userMetadata: readMetadataHeader(headers['x-metadata']),
  };
}

async function receiveForm({ headers, body }: UploadRequest): Promise<ReceivedContent> {
  const { readForm } = await import('./form.ts');
  const { fields, file, mimeType } = await readForm(headers, body);
  const cacheSeconds = fields.get('cacheControl');
  return {
    content: file,
    mimeType: fields.get('contentType') || mimeType,
    cacheControl: cacheSeconds ? `max-age=${cacheSeconds}` : DEFAULT_CACHE_CONTROL,
    declaredSize: bodyBytes(headers),
    userMetadata: readUserMetadata(fields.get('metadata') ?? fields.get('userMetadata')),
  };
}

/** A request without `transfer-encoding` and `content-length` has no body. */
function bodyBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/**
 * Discards a rejected body, so that a client that is still sending can read the response. Returns whether the body is
 * small enough to wait for its end: at most `maxBytes`.
 */
export function discardBody({ headers, body }: UploadRequest, maxBytes: number): boolean {
  body.unpipe();
  body.resume();
  const bytes = bodyBytes(headers);
  return bytes !== undefined && bytes <= maxBytes;
}
