/** Routes that upload content. Fastify does not parse their bodies. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { receiveContent } from '../../content/receive.ts';
import type { Context } from '../../context.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { type ObjectParams, objectPathOf } from '../../request/object-path.ts';
import { requestDetailsOf } from '../../request/request-details.ts';
import { type Uploader, uploadObject } from '../upload.ts';
import { TOKEN_QUERY } from './schemas.ts';

const headers = AUTHORIZATION_HEADERS;

type OfObject = { Params: ObjectParams };

/** Registers the routes. */
export const uploadRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required } = createAuthentication(context.readCaller);
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const upload = (request: FastifyRequest<OfObject>, uploader: Uploader, isUpsert: boolean) => {
    const target = { ...objectPathOf(request), isUpsert, instanceLimit: context.config.maxStandardBytes };
    return uploadObject(context, uploader, target, () =>
      receiveContent({ headers: request.headers, body: request.raw }),
    );
  };

  scope.post<OfObject>(
    '/:bucketName/*',
    { schema: { headers }, preHandler: required, config: { operation: 'storage.object.upload' } },
    async (request) => {
      const isUpsert = request.headers['x-upsert'] === 'true';
      const { bucket_id, name, id } = await upload(request, { access: accessContextOf(request) }, isUpsert);
      return { Key: `${bucket_id}/${name}`, Id: id };
    },
  );
  scope.put<OfObject>(
    '/:bucketName/*',
    { schema: { headers }, preHandler: required, config: { operation: 'storage.object.upload_update' } },
    async (request) => {
      const { bucket_id, name, id } = await upload(request, { access: accessContextOf(request) }, true);
      return { Key: `${bucket_id}/${name}`, Id: id };
    },
  );
  scope.put<OfObject & { Querystring: { token: string } }>(
    '/upload/sign/:bucketName/*',
    { schema: { querystring: TOKEN_QUERY }, config: { operation: 'storage.object.upload_signed' } },
    async (request) => {
      const { bucket, key } = objectPathOf(request);
      const link = await context.links.verify(request.query.token, 'upload', `${bucket}/${key}`);
      const ownedBy = typeof link.owner === 'string' ? link.owner : undefined;
      const { bucket_id, name } = await upload(
        request,
        { ownedBy, request: requestDetailsOf(request as FastifyRequest) },
        link.upsert === true,
      );
      return { Key: `${bucket_id}/${name}` };
    },
  );
};
