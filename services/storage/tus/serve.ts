/** Serves one request of a resumable upload with the tus server, which is loaded with the first request. */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { logFailure } from '@greenroom/http';
import { Server, type ServerOptions } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { limitKeysOf, runLimited } from '../limits.ts';
import { requestDetailsOf } from '../request/request-details.ts';
import { isServerFault } from '../respond/error-response.ts';
import { drainBody } from '../respond/handlers.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import type { Leases } from './leases.ts';
import { uploadId, uploadIdOfPath, uploadPath } from './upload-id.ts';
import { withCacheControl } from './upload-metadata.ts';
import { requestOfCaller, requestOfLink, type UploadRequest } from './upload-request.ts';
import { UploadStore } from './upload-store.ts';
import { webRequestOf } from './web-request.ts';

/** Allowed request headers, in addition to those of the protocol. */
const CLIENT_HEADERS = ['ApiKey', 'X-Upsert', 'X-Signature', 'Upload-Expires'];
const EXPOSED_HEADERS = [
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'Tus-Complete',
];
/** Milliseconds that a request may continue to store received bytes after it was asked to release its lease. */
const DRAIN_MS = 1000;

/** Dependencies of every request. */
export interface ResumableUploads {
  context: Context;
  leases: Leases;
}

/** How a request is authorized: by the caller's token, by a signed link, or not at all, which OPTIONS needs. */
export type UploadKind = 'caller' | 'link' | 'options';

const READERS = { caller: requestOfCaller, link: requestOfLink, options: uploadRequestForOptions } as const;

/** Handles a request. */
export function serveUpload(
  uploads: ResumableUploads,
  kind: UploadKind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return serve(uploads, request, reply, READERS[kind](uploads.context, request));
}

/** Handles OPTIONS, which does not address an upload. */
function uploadRequestForOptions({ config }: Context, request: FastifyRequest): UploadRequest {
  const refuse = () => {
    throw failure('AccessDenied');
  };
  return {
    access: { caller: ANONYMOUS, request: requestDetailsOf(request) },
    maxBytes: async () => config.maxObjectBytes,
    authorize: async () => undefined,
    requireAccepted: refuse,
    owner: refuse,
    principal: refuse,
  };
}

async function serve(
  uploads: ResumableUploads,
  request: FastifyRequest,
  reply: FastifyReply,
  upload: UploadRequest,
): Promise<FastifyReply> {
  const store = new UploadStore(uploads.context, upload);
  const server = new Server(protocolOptions(uploads, request, upload, store));
  const handle = () => server.handleWeb(webRequestOf(request));
  const hasContent = request.method === 'PATCH' || request.method === 'POST';
  const response = hasContent
    ? await runLimited(uploads.context.limits.uploads, limitKeysOf(upload.access), handle).catch(
        toTextResponse,
      )
    : await handle();
  drainBody(request, reply);
  for (const [name, value] of response.headers) {
    // The surrounding HTTP server sets this header.
    if (name !== 'connection') reply.header(name, value);
  }
  const text = await response.text();
  if (text !== '' && !response.headers.has('content-type')) reply.type('text/plain; charset=utf-8');
  return reply.code(response.status).send(text === '' ? undefined : text);
}

/** Converts an error of the catalogue to a plain text response, as this protocol requires. */
function toTextResponse(error: unknown): Response {
  if (!(error instanceof CatalogueError)) throw error;
  const { message, status, headers } = error;
  return new Response(message, { status, headers: headers ?? {} });
}

function protocolOptions(
  { leases }: ResumableUploads,
  request: FastifyRequest,
  upload: UploadRequest,
  store: UploadStore,
): ServerOptions & { datastore: UploadStore } {
  const path = routePath(request);
  return {
    path,
    datastore: store,
    locker: leases.locker(() => store.waitForWrites()),
    lockDrainTimeout: DRAIN_MS,
    disableTerminationForFinishedUploads: true,
    allowedHeaders: CLIENT_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxSize: (_request, id) => upload.maxBytes(id),
    namingFunction: (_request, metadata) => newUploadId(metadata),
    generateUrl: (_request, { id }) => `${originOf(request)}${path}/${uploadPath(id)}`,
    getFileIdFromRequest: () => idOf(request),
    onIncomingRequest: (_request, id) => upload.authorize(id),
    async onUploadCreate(_request, { id, metadata = {}, size }) {
      await upload.requireAccepted(id, { metadata, size });
      return { metadata: withCacheControl(metadata) };
    },
    onUploadFinish: async () => ({ headers: { 'Tus-Complete': '1' } }),
    onResponseError: (_request, error) => errorResponseOf(error, request),
  };
}

/** Returns the origin, including a base path in front of the whole server. */
function originOf({ protocol, host, originalUrl, url }: FastifyRequest): string {
  const base = originalUrl.endsWith(url) ? originalUrl.slice(0, originalUrl.length - url.length) : '';
  return `${protocol}://${host}${base}`;
}

/** Returns the path of the route without the upload id. */
function routePath({ routeOptions, server }: FastifyRequest): string {
  const { url = server.prefix } = routeOptions;
  return url.replace(/\/\*?$/, '');
}

/** Decodes the upload id, the last segment of the path. */
function idOf({ params }: FastifyRequest): string | undefined {
  const { '*': path = '' } = params as { '*'?: string };
  return path === '' ? undefined : uploadIdOfPath(path);
}

function newUploadId(metadata: Record<string, string | null> | undefined): string {
  if (metadata === undefined) throw failure('InvalidRequest', { message: 'Metadata header is required' });
  const { bucketName, objectName } = metadata;
  if (!bucketName) throw failure('InvalidBucketName');
  if (!objectName) throw failure('InvalidKey', { message: 'Invalid key: ' });
  return uploadId({ bucket: bucketName, key: objectName, version: randomUUID() });
}

type Refusal = { status_code: number; body: string };

/** Returns errors of the tus library unchanged. */
function errorResponseOf(error: Error | Refusal, request: FastifyRequest): Refusal | undefined {
  if (!(error instanceof Error) || 'status_code' in error) return undefined;
  const refusal = toStorageError(error);
  if (isServerFault(refusal) && !request.raw.destroyed) {
    const { code, cause } = refusal;
    logFailure(request, { err: cause ?? refusal, code }, 'resumable upload failed');
  }
  return { status_code: refusal.status, body: refusal.message };
}
