/** `/render/image`: serves objects as resized and converted images. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Images } from '../../images/images.ts';
import {
  parseTransformText,
  readTransform,
  TRANSFORM_SCHEMA,
  type TransformRequest,
} from '../../images/transform.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { type ObjectParams, objectPathOf } from '../../request/object-path.ts';
import type { ObjectRow } from '../../rows/objects.ts';
import { findLinked, findPublic, findVisible } from '../find.ts';
import { serveImage } from '../serve-image.ts';
import { TOKEN_QUERY } from './schemas.ts';

const QUERY = {
  ...TRANSFORM_SCHEMA,
  properties: { ...TRANSFORM_SCHEMA.properties, download: { type: 'string' } },
} as const;

type OfImage = { Params: ObjectParams; Querystring: TransformRequest & { download?: string } };
type OfLink = { Params: ObjectParams; Querystring: { token: string; download?: string } };

/** Registers the routes. */
export const imageRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { images: limits } = context.config;
  const { required } = createAuthentication(context.readCaller);
  const images = new Images(context.store);
  scope.addHook('onClose', async () => images.close());

  const routeTo = (
    path: string,
    options: { schema: object; operation: string; preHandler?: typeof required },
    find: (request: FastifyRequest<OfImage>) => Promise<ObjectRow>,
  ) => {
    const { schema, operation, preHandler } = options;
    scope.get<OfImage>(
      `${path}/:bucketName/*`,
      {
        schema: { ...schema, querystring: QUERY },
        config: { operation },
        ...(preHandler && { preHandler }),
      },
      (request, reply) => {
        const { download } = request.query;
        const transform = readTransform(request.query, limits);
        return serveImage(images, request, reply, () => find(request), transform, { download });
      },
    );
  };
  routeTo('/public', { schema: {}, operation: 'storage.render.image_public' }, (request) =>
    findPublic(context, objectPathOf(request)),
  );
  routeTo(
    '/authenticated',
    {
      schema: { headers: AUTHORIZATION_HEADERS },
      operation: 'storage.render.image_authenticated',
      preHandler: required,
    },
    (request) => findVisible(context, accessContextOf(request as FastifyRequest), objectPathOf(request)),
  );
  scope.get<OfLink>(
    '/sign/:bucketName/*',
    { schema: { querystring: TOKEN_QUERY }, config: { operation: 'storage.render.image_sign' } },
    async (request, reply) => {
      const path = objectPathOf(request);
      const { token, download } = request.query;
      const { exp, transformations } = await context.links.verify(
        token,
        'download',
        `${path.bucket}/${path.key}`,
      );
      const text = typeof transformations === 'string' ? transformations : '';
      const transform = parseTransformText(text, limits);
      return serveImage(images, request, reply, () => findLinked(context, path), transform, {
        download,
        expiresAt: exp,
      });
    },
  );
};
