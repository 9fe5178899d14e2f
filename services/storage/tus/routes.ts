/**
 * `/upload/resumable`: resumable uploads by the protocol TUS 1.0.0 (https://tus.io/protocols/resumable-upload). Errors
 * are plain text with the status of their code.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { AUTHORIZATION_HEADERS, createAuthentication } from '../request/authentication.ts';
import type { ResumableUploads, UploadKind } from './serve.ts';

const METHODS = [
  { method: 'POST', operation: 'storage.tus.upload.create' },
  { method: 'PATCH', operation: 'storage.tus.upload.part' },
  { method: 'HEAD', operation: 'storage.tus.upload.get' },
  { method: 'DELETE', operation: 'storage.tus.upload.delete' },
] as const;

/** Registers the routes. */
export const resumableRoutes: FastifyPluginAsync<ResumableUploads> = async (scope, uploads) => {
  const { required } = createAuthentication(uploads.context.readCaller);
  // The tus server reads the bodies.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const handlerFor = (kind: UploadKind) => async (request: FastifyRequest, reply: FastifyReply) =>
    (await import('./serve.ts')).serveUpload(uploads, kind, request, reply);

  for (const prefix of ['/sign', '']) {
    await scope.register(
      async (routes) => {
        const isSigned = prefix !== '';
        for (const url of ['/', '/*']) {
          for (const { method, operation } of METHODS) {
            routes.route({
              method,
              url,
              config: { operation: isSigned ? `${operation}_signed` : operation },
              ...(isSigned ? {} : { preHandler: required, schema: { headers: AUTHORIZATION_HEADERS } }),
              handler: handlerFor(isSigned ? 'link' : 'caller'),
            });
          }
          routes.options(url, handlerFor('options'));
        }
      },
      { prefix },
    );
  }
};
