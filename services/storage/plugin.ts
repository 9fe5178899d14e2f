/** The Fastify plugin of storage: registers its routes and error handlers. */
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { bucketRoutes } from './buckets/routes.ts';
import { ANONYMOUS } from './caller.ts';
import { cdnRoutes } from './cdn/routes.ts';
import { runForClient } from './fair-database.ts';
import type { StorageInstance } from './instance.ts';
import { limitKeysOf } from './limits.ts';
import { imageRoutes } from './objects/routes/images.ts';
import { objectRoutes } from './objects/routes/index.ts';
import { AUTHORIZATION_HEADERS, createAuthentication } from './request/authentication.ts';
import { addressOf } from './request/request-details.ts';
import { respondWithDisabled, respondWithError, respondWithNotFound } from './respond/handlers.ts';
import { s3Routes } from './s3/routes.ts';
import { Leases } from './tus/leases.ts';
import { resumableRoutes } from './tus/routes.ts';

/** Options of {@link storagePlugin}. */
interface StoragePluginOptions {
  instance: StorageInstance;
}

/**
 * Paths without an API key check. Routes authenticate callers: a browser's request for an object has no API key, and
 * the S3 protocol and links have their own credentials.
 */
export const OPEN_STORAGE_PATHS = ['/*'];

/** Response headers that pages of other origins may read, in addition to the headers that all services expose. */
const EXPOSED_HEADERS = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-length',
  'etag',
  'last-modified',
  'tus-complete',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-transformations',
];

/**
 * Allows all origins. Storage answers OPTIONS requests, because the tus protocol reports its capabilities by OPTIONS.
 */
export const STORAGE_CORS = {
  allowedOrigins: () => undefined,
  handlesOptions: true,
  exposedHeaders: EXPOSED_HEADERS,
};

const { version: VERSION } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Serves the endpoints below the prefix that it is registered with, usually `/storage/v1`. */
export const storagePlugin: FastifyPluginAsync<StoragePluginOptions> = async (server, { instance }) => {
  const { context } = instance;
  const { required } = createAuthentication(context.readCaller);
  server.decorateRequest('storageCaller', undefined);
  server.addHook('preHandler', (request, _reply, done) => {
    runForClient(limitKeysOf({ caller: ANONYMOUS, request: { address: addressOf(request) } }), done);
  });
  // Routes stream request bodies: large uploads take a long time.
  server.addHook('onRoute', (route) => {
    route.config = { ...route.config, streamsBody: true };
  });
  server.removeAllContentTypeParsers();
  server.setErrorHandler(respondWithError);
  server.setNotFoundHandler(respondWithNotFound);

  server.get('/status', async (_request, reply) => reply.send());
  server.get('/version', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(VERSION));
  server.get(
    '/health',
    { schema: { headers: AUTHORIZATION_HEADERS }, preHandler: required },
    async (request) => {
      const healthy = await instance.requireReady().then(
        () => true,
        (error: unknown) => {
          request.log.error({ reqId: request.id, err: error }, 'storage is not ready');
          return false;
        },
      );
      return { healthy };
    },
  );
  await server.register(bucketRoutes, { prefix: '/bucket', context });
  await server.register(objectRoutes, { prefix: '/object', context });
  await server.register(resumableRoutes, {
    prefix: '/upload/resumable',
    context,
    leases: new Leases(context),
  });
  const { images, s3Protocol } = context.config;
  if (images.isEnabled) await server.register(imageRoutes, { prefix: '/render/image', context });
  else await server.register(otherPaths, { prefix: '/render/image', handler: NO_IMAGES });
  await server.register(cdnRoutes, { prefix: '/cdn', context });
  if (s3Protocol.isEnabled) await server.register(s3Routes, { prefix: '/s3', context });
  else await server.register(otherPaths, { prefix: '/s3', handler: NO_S3 });
  await server.register(otherPaths, { handler: respondWithNotFound });
};

const NO_IMAGES = respondWithDisabled('image transformations are', {
  name: 'IMAGE_TRANSFORMATION_ENABLED',
  key: 'storage.image_transformation.enabled',
});
const NO_S3 = respondWithDisabled('the S3 protocol is', {
  name: 'S3_PROTOCOL_ENABLED',
  key: 'storage.s3_protocol.enabled',
});

/**
 * Registers catch-all routes, because the catch-all route of the pages would take precedence over a not-found handler.
 */
const otherPaths: FastifyPluginAsync<{ handler: typeof respondWithNotFound }> = async (
  server,
  { handler },
) => {
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const url of ['/', '/*']) server.all(url, { config: { onlyRejects: true } }, handler);
};
