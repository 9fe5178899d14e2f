/**
 * `/cdn`: accepts cache purges as the hosted service does. They have no effect, because there is no CDN in front of
 * storage.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../context.ts';
import { AUTHORIZATION_HEADERS, createAuthentication } from '../request/authentication.ts';
import { acceptJson } from '../request/json-body.ts';

const schema = {
  headers: AUTHORIZATION_HEADERS,
  querystring: { type: 'object', properties: { transformations: { type: 'boolean' } } },
} as const;

const ROUTES = [
  ['/', 'storage.cdn.purge_tenant_cache'],
  ['/:bucketName', 'storage.cdn.purge_bucket_cache'],
  ['/:bucketName/*', 'storage.cdn.purge_object_cache'],
] as const;

/** Registers the routes. */
export const cdnRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { serviceRole } = createAuthentication(context.readCaller);
  acceptJson(scope, { mayBeEmpty: true });
  for (const [path, operation] of ROUTES) {
    scope.delete(path, { schema, preHandler: serviceRole, config: { operation } }, async () => ({
      message: 'success',
    }));
  }
};
