/** What a request brings to be stored: its body is the content, or a form that has it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { failure } from '../errors.ts';
import { readMetadataHeader, readUserMetadata, type UserMetadata } from '../validate/user-metadata.ts';
import { readForm } from './form.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const DEFAULT_CACHE_CONTROL = 'no-cache';
const FORM = /^multipart\/form-data/i;

/** Content that comes in, not yet read. */
export interface ReceivedContent {
  content: Readable;
  mimeType: string;
  cacheControl: string;
  /** Bytes of the content, where they are known before. */
  size?: number | undefined;
  /** What the client says about the size of the whole request; policies see it. */
  declaredSize?: number | undefined;
  robotsTag?: string | undefined;
  userMetadata?: UserMetadata | undefined;
}

/** A request, as Node.js has it. */
interface UploadRequest {
  headers: IncomingHttpHeaders;
  body: Readable;
}

/**
 * The content of a request. Throws NoContentProvided where it has none, EntityTooLarge for its metadata. What of the body
 * is not read then is left for whoever answers.
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

/** Without either header there is no body. */
function bodyBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/**
 * Lets go of a body that is refused, so that its sender, who may still be busy with it, gets to read the answer. Says
 * whether it ends by itself before long: more than `mostBytes` are not worth waiting for.
 */
export function dropBody({ headers, body }: UploadRequest, mostBytes: number): boolean {
  body.unpipe();
  body.resume();
  const bytes = bodyBytes(headers);
  return bytes !== undefined && bytes <= mostBytes;
}
