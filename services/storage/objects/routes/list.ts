/** Routes that list objects. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import {
  AUTHORIZATION_HEADERS,
  accessContextOf,
  createAuthentication,
} from '../../request/authentication.ts';
import { acceptJson } from '../../request/json-body.ts';
import { requireBucketName } from '../../validate/names.ts';
import { type ListRequest, listObjects } from '../list.ts';
import { type ListV2Request, listObjectsV2 } from '../list-v2.ts';

const headers = AUTHORIZATION_HEADERS;
const ORDER = { type: 'string', enum: ['asc', 'desc'] } as const;
const LIST_BODY = {
  type: 'object',
  properties: {
    prefix: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    offset: { type: 'integer', minimum: 0 },
    sortBy: {
      type: 'object',
      properties: {
        column: { type: 'string', enum: ['name', 'updated_at', 'created_at', 'last_accessed_at'] },
        order: ORDER,
      },
      required: ['column'],
    },
    search: { type: 'string' },
  },
  required: ['prefix'],
} as const;
const LIST_V2_BODY = {
  type: 'object',
  properties: {
    prefix: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    cursor: { type: 'string' },
    with_delimiter: { type: 'boolean' },
    sortBy: {
      type: 'object',
      properties: {
        column: { type: 'string', enum: ['name', 'updated_at', 'created_at'] },
        order: ORDER,
      },
      required: ['column'],
    },
  },
} as const;

type OfBucket = { Params: { bucketName: string } };
type ListV2Body = Omit<ListV2Request, 'delimiter' | 'startAfter'> & { with_delimiter?: boolean };

/** Registers the routes. */
export const listRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required } = createAuthentication(context.readCaller);
  acceptJson(scope);
  scope.addHook('preHandler', required);

  scope.post<OfBucket & { Body: ListRequest }>(
    '/list/:bucketName',
    { schema: { headers, body: LIST_BODY }, config: { operation: 'storage.object.list' } },
    async (request) => {
      const { bucketName } = request.params;
      requireBucketName(bucketName);
      return listObjects(context, accessContextOf(request), bucketName, request.body);
    },
  );
  scope.post<OfBucket & { Body: ListV2Body }>(
    '/list-v2/:bucketName',
    { schema: { headers, body: LIST_V2_BODY }, config: { operation: 'storage.object.list_v2' } },
    async (request) => {
      const { bucketName } = request.params;
      const { with_delimiter: hasFolders = false, ...list } = request.body;
      requireBucketName(bucketName);
      const delimiter = hasFolders ? '/' : undefined;
      return listObjectsV2(context, accessContextOf(request), bucketName, { ...list, delimiter });
    },
  );
};
