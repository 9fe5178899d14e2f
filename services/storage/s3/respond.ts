/** Sends responses of the S3 protocol. */
import type { CatalogueError } from '@greenroom/errors';
import { logFailure as logRequestFailure, noteError } from '@greenroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isServerFault, publicCode } from '../respond/error-response.ts';
import { drainBody } from '../respond/handlers.ts';
import { toStorageError } from '../respond/to-storage-error.ts';
import type { S3Response } from './request/s3-request.ts';
import { readTarget } from './request/target.ts';
import { xmlError } from './xml/write.ts';

const XML = 'application/xml; charset=utf-8';

export function sendResponse(reply: FastifyReply, response: S3Response): FastifyReply {
  const { status = 200, headers = {}, xml, content } = response;
  for (const [name, value] of Object.entries(headers)) {
    // Empty values are meaningful only for metadata.
    if (value !== undefined && (value !== '' || name.startsWith('x-amz-meta-'))) reply.header(name, value);
  }
  if (xml !== undefined) reply.type(XML);
  return reply.code(status).send(content ?? xml);
}

/** For `setErrorHandler`. Unlike in the rest of storage, the HTTP status is that of the error. */
export function createS3ErrorHandler(path: (request: FastifyRequest) => string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = toStorageError(error);
    noteError(request, refusal);
    if (isServerFault(refusal) && !request.raw.destroyed) logFailure(request, refusal);
    drainBody(request, reply);
    reply.code(refusal.status);
    for (const [name, value] of Object.entries(refusal.headers ?? {})) reply.header(name, value);
    if (request.method === 'HEAD') return reply.send();
    const content = {
      Resource: resourceOf(path(request)),
      Code: publicCode(refusal),
      Message: refusal.message,
    };
    return reply.type(XML).send(xmlError(content));
  };
}

function logFailure(request: FastifyRequest, refusal: CatalogueError): void {
  const { code, cause } = refusal;
  logRequestFailure(request, { err: cause ?? refusal, code }, 'storage request failed');
}

function resourceOf(path: string): string {
  try {
    const { bucket, key } = readTarget(path);
    return key === '' ? bucket : `${bucket}/${key}`;
  } catch {
    return path;
  }
}
