/** Routes that delete, move and copy objects. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { acceptJson } from '../../request/json-body.ts';
import { type ObjectParams, objectPathOf } from '../../request/object-path.ts';
import { requireBucketName } from '../../validate/names.ts';
import { readMetadataHeader } from '../../validate/user-metadata.ts';
import { copyObject } from '../copy.ts';
import { moveObject } from '../move.ts';
import { objectJson } from '../object-json.ts';
import { removeObject, removeObjects } from '../remove.ts';

const headers = AUTHORIZATION_HEADERS;
const REMOVE_BODY = {
  type: 'object',
  properties: { prefixes: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1000 } },
  required: ['prefixes'],
} as const;
const SOURCE_AND_TARGET = {
  bucketId: { type: 'string' },
  sourceKey: { type: 'string' },
  destinationBucket: { type: 'string' },
  destinationKey: { type: 'string' },
} as const;
const MOVE_BODY = {
  type: 'object',
  properties: SOURCE_AND_TARGET,
  required: ['bucketId', 'sourceKey', 'destinationKey'],
} as const;
const COPY_BODY = {
  type: 'object',
  properties: {
    ...SOURCE_AND_TARGET,
    metadata: {
      type: 'object',
      properties: { cacheControl: { type: 'string' }, mimetype: { type: 'string' } },
    },
    copyMetadata: { type: 'boolean' },
  },
  required: ['sourceKey', 'bucketId', 'destinationKey'],
} as const;

interface SourceAndTarget {
  bucketId: string;
  sourceKey: string;
  destinationBucket?: string;
  destinationKey: string;
}

interface CopyBody extends SourceAndTarget {
  metadata?: { cacheControl?: string; mimetype?: string };
  copyMetadata?: boolean;
}

/** Registers the routes. */
export const changeRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required } = createAuthentication(context.readCaller);
  acceptJson(scope);
  scope.addHook('preHandler', required);

  scope.delete<{ Params: ObjectParams }>(
    '/:bucketName/*',
    { schema: { headers }, config: { operation: 'storage.object.delete' } },
    async (request) => {
      await removeObject(context, accessContextOf(request), objectPathOf(request));
      return { message: 'Successfully deleted' };
    },
  );
  scope.delete<{ Params: { bucketName: string }; Body: { prefixes: string[] } }>(
    '/:bucketName',
    { schema: { headers, body: REMOVE_BODY }, config: { operation: 'storage.object.delete_many' } },
    async (request) => {
      const { bucketName } = request.params;
      requireBucketName(bucketName);
      const rows = await removeObjects(context, accessContextOf(request), bucketName, request.body.prefixes);
      return rows.map(objectJson);
    },
  );
  scope.post<{ Body: SourceAndTarget }>(
    '/move',
    { schema: { headers, body: MOVE_BODY }, config: { operation: 'storage.object.move' } },
    async (request) => {
      await moveObject(context, accessContextOf(request), sourceAndTargetOf(request.body));
      return { message: 'Successfully moved' };
    },
  );
  scope.post<{ Body: CopyBody }>(
    '/copy',
    { schema: { headers, body: COPY_BODY }, config: { operation: 'storage.object.copy' } },
    async (request) => {
      const { copyMetadata = true, metadata } = request.body;
      const paths = sourceAndTargetOf(request.body);
      const row = await copyObject(context, accessContextOf(request), {
        ...paths,
        isUpsert: request.headers['x-upsert'] === 'true',
        ...(!copyMetadata && {
          replaced: {
            ...metadata,
            keepsOtherFields: true,
            userMetadata: readMetadataHeader(request.headers['x-metadata']),
          },
        }),
      });
      return { Key: `${paths.to.bucket}/${paths.to.key}`, Id: row.id, ...objectJson(row) };
    },
  );
};

function sourceAndTargetOf({ bucketId, sourceKey, destinationBucket, destinationKey }: SourceAndTarget) {
  const to = destinationBucket || bucketId;
  requireBucketName(bucketId);
  requireBucketName(to);
  return { from: { bucket: bucketId, key: sourceKey }, to: { bucket: to, key: destinationKey } };
}
