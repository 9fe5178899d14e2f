/** Routes that serve content and metadata of objects. */
import type { FastifyPluginAsync, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { Context } from '../../context.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { type ObjectParams, objectPathOf } from '../../request/object-path.ts';
import type { ObjectRow } from '../../rows/objects.ts';
import { findLinked, findPublic, findReadable } from '../find.ts';
import { serveContent, serveHead, serveInfo } from '../serve.ts';
import { DOWNLOAD_QUERY, TOKEN_QUERY } from './schemas.ts';

type OfObject = { Params: ObjectParams; Querystring: { download?: string } };

interface RouteVariant {
  /** Path before bucket and key. */
  path: string;
  schema: object;
  preHandler: preHandlerAsyncHookHandler[];
  /** Operations of GET, HEAD and info requests. */
  operations: readonly [string, string, string];
  find: (request: FastifyRequest<OfObject>) => Promise<ObjectRow>;
}

/** Registers the routes. */
export const readRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required, optional } = createAuthentication(context.readCaller);
  const findForCaller = (request: FastifyRequest<OfObject>) =>
    findReadable(context, accessContextOf(request as FastifyRequest), objectPathOf(request));
  const ofCaller = [
    'storage.object.get_authenticated',
    'object.head_authenticated_info',
    'object.get_authenticated_info',
  ] as const;
  const variants: RouteVariant[] = [
    {
      path: '/public',
      schema: {},
      preHandler: [],
      operations: ['storage.object.get_public', 'storage.object.info_public', 'storage.object.info_public'],
      find: (request) => findPublic(context, objectPathOf(request)),
    },
    {
      path: '/authenticated',
      schema: { headers: AUTHORIZATION_HEADERS },
      preHandler: [required],
      operations: ofCaller,
      find: findForCaller,
    },
    { path: '', schema: {}, preHandler: [optional], operations: ofCaller, find: findForCaller },
  ];

  for (const { path, schema, preHandler, operations, find } of variants) {
    const [content, head, info] = operations;
    scope.get<OfObject>(
      `${path}/:bucketName/*`,
      {
        exposeHeadRoute: false,
        schema: { ...schema, querystring: DOWNLOAD_QUERY },
        preHandler,
        config: { operation: content },
      },
      (request, reply) =>
        serveContent(context, request, reply, () => find(request), { download: request.query.download }),
    );
    scope.head<OfObject>(
      `${path}/:bucketName/*`,
      { schema, preHandler, config: { operation: head } },
      async (request, reply) => serveHead(request, reply, await find(request)),
    );
    scope.get<OfObject>(
      `/info${path}/:bucketName/*`,
      { schema, preHandler, config: { operation: info } },
      async (request, reply) => serveInfo(reply, await find(request)),
    );
  }

  scope.get<OfObject & { Querystring: { token: string } }>(
    '/sign/:bucketName/*',
    { schema: { querystring: TOKEN_QUERY }, config: { operation: 'storage.object.get_signed' } },
    async (request, reply) => {
      const path = objectPathOf(request);
      const { token, download } = request.query;
      const { exp, url } = await context.links.verify(token, 'download', `${path.bucket}/${path.key}`);
      const linked = { bucket: path.bucket, key: url.slice(path.bucket.length + 1) };
      return serveContent(context, request, reply, () => findLinked(context, linked), {
        download,
        expiresAt: exp,
      });
    },
  );
};
