/** Routes that create links. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import { TRANSFORM_SCHEMA, type TransformRequest, transformClaims } from '../../images/transform.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { acceptJson } from '../../request/json-body.ts';
import { type ObjectParams, objectPathOf } from '../../request/object-path.ts';
import { requireBucketName } from '../../validate/names.ts';
import { readMetadataHeader } from '../../validate/user-metadata.ts';
import { signDownload, signDownloads, signUpload } from '../sign.ts';

const headers = AUTHORIZATION_HEADERS;
const EXPIRES_IN = { type: 'integer', minimum: 1 } as const;
const SIGN_BODY = {
  type: 'object',
  properties: { expiresIn: EXPIRES_IN, transform: TRANSFORM_SCHEMA },
  required: ['expiresIn'],
} as const;
const SIGN_MANY_BODY = {
  type: 'object',
  properties: {
    expiresIn: EXPIRES_IN,
    paths: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1000 },
  },
  required: ['expiresIn', 'paths'],
} as const;

type OfObject = { Params: ObjectParams };

/** Registers the routes. */
export const signRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required } = createAuthentication(context.readCaller);
  scope.addHook('preHandler', required);

  await scope.register(async (routes) => {
    acceptJson(routes);
    routes.post<OfObject & { Body: { expiresIn: number; transform?: TransformRequest } }>(
      '/sign/:bucketName/*',
      { schema: { headers, body: SIGN_BODY }, config: { operation: 'storage.object.sign' } },
      async (request) => ({
        signedURL: await signDownload(
          context,
          accessContextOf(request),
          objectPathOf(request),
          request.body.expiresIn,
          transformClaims(request.body.transform, context.config.images),
        ),
      }),
    );
    routes.post<{ Params: { bucketName: string }; Body: { expiresIn: number; paths: string[] } }>(
      '/sign/:bucketName',
      { schema: { headers, body: SIGN_MANY_BODY }, config: { operation: 'storage.object.sign_many' } },
      async (request) => {
        const { bucketName } = request.params;
        const { paths, expiresIn } = request.body;
        requireBucketName(bucketName);
        return signDownloads(context, accessContextOf(request), bucketName, paths, expiresIn);
      },
    );
  });

  await scope.register(async (routes) => {
    acceptJson(routes, { mayBeEmpty: true });
    routes.post<OfObject>(
      '/upload/sign/:bucketName/*',
      { schema: { headers }, config: { operation: 'storage.object.sign_upload_url' } },
      async (request) => {
        const { headers: sent } = request;
        const length = sent['content-length'];
        return signUpload(context, accessContextOf(request), objectPathOf(request), {
          isUpsert: sent['x-upsert'] === 'true',
          mimeType: sent['content-type'],
          size: length === undefined ? undefined : Number(length),
          userMetadata: readMetadataHeader(sent['x-metadata']),
        });
      },
    );
  });
};
