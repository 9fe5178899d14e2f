/** `/bucket`: the routes of buckets. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../context.ts';
import { AUTHORIZATION_HEADERS, accessContextOf, createAuthentication } from '../request/authentication.ts';
import { isOlderClient } from '../request/client-version.ts';
import { acceptJson } from '../request/json-body.ts';
import type { BucketQuery, BucketRow } from '../rows/buckets.ts';
import { requireInteger } from '../validate/integer.ts';
import { SIZE_LIMIT_SCHEMA } from '../validate/size-limit.ts';
import { type BucketRequest, createBucket } from './create.ts';
import { emptyBucket } from './empty.ts';
import { findBucket, listBuckets } from './read.ts';
import { removeBucket } from './remove.ts';
import { type BucketUpdate, changeBucket } from './update.ts';

const headers = AUTHORIZATION_HEADERS;
const MIME_TYPES = { type: 'array', nullable: true, items: { type: 'string' } } as const;
const CHANGEABLE = {
  public: { type: 'boolean' },
  file_size_limit: SIZE_LIMIT_SCHEMA,
  allowed_mime_types: MIME_TYPES,
} as const;
const CREATE_BODY = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    id: { type: 'string' },
    type: { type: 'string', enum: ['STANDARD', 'ANALYTICS'] },
    ...CHANGEABLE,
  },
  required: ['name'],
} as const;
const UPDATE_BODY = {
  type: 'object',
  minProperties: 1,
  properties: CHANGEABLE,
  anyOf: [{ required: ['public'] }, { required: ['file_size_limit'] }, { required: ['allowed_mime_types'] }],
} as const;
const LIST_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1 },
    offset: { type: 'integer', minimum: 0 },
    sortColumn: { type: 'string', enum: ['id', 'name', 'created_at', 'updated_at'] },
    sortOrder: { type: 'string', enum: ['asc', 'desc'] },
    search: { type: 'string' },
  },
} as const;

type OfBucket = { Params: { bucketId: string } };

/** Registers the routes. */
export const bucketRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  const { required, serviceRole } = createAuthentication(context.readCaller);

  await scope.register(async (routes) => {
    acceptJson(routes);
    routes.addHook('preHandler', required);
    routes.post<{ Body: BucketRequest }>(
      '/',
      { schema: { headers, body: CREATE_BODY }, config: { operation: 'storage.bucket.create' } },
      async (request) => {
        await createBucket(context, accessContextOf(request), request.body);
        return { name: request.body.name };
      },
    );
    routes.get<{ Querystring: BucketQuery }>(
      '/',
      { schema: { headers, querystring: LIST_QUERY }, config: { operation: 'storage.bucket.list' } },
      async (request) => {
        requireInteger('querystring/limit', request.query.limit);
        requireInteger('querystring/offset', request.query.offset);
        const rows = await listBuckets(context, accessContextOf(request), request.query);
        return rows.map(cannotReadType(request.headers) ? withoutType : bucketJson);
      },
    );
    routes.get<OfBucket>(
      '/:bucketId',
      { schema: { headers }, config: { operation: 'storage.bucket.get' } },
      async (request) =>
        withoutType(await findBucket(context, accessContextOf(request), request.params.bucketId)),
    );
    routes.put<OfBucket & { Body: BucketUpdate }>(
      '/:bucketId',
      { schema: { headers, body: UPDATE_BODY }, config: { operation: 'storage.bucket.update' } },
      async (request) => {
        await changeBucket(context, accessContextOf(request), request.params.bucketId, request.body);
        return { message: 'Successfully updated' };
      },
    );
  });

  await scope.register(async (routes) => {
    acceptJson(routes, { mayBeEmpty: true });
    routes.delete<OfBucket>(
      '/:bucketId',
      { schema: { headers }, preHandler: required, config: { operation: 'storage.bucket.delete' } },
      async (request) => {
        await removeBucket(context, accessContextOf(request), request.params.bucketId);
        return { message: 'Successfully deleted' };
      },
    );
    routes.post<OfBucket>(
      '/:bucketId/empty',
      { schema: { headers }, preHandler: serviceRole, config: { operation: 'storage.bucket.empty' } },
      async (request) => {
        await emptyBucket(context, accessContextOf(request), request.params.bucketId);
        return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
      },
    );
  });
};

/** Formats a row with the key order of the hosted service, and with an empty owner instead of null. */
function bucketJson({ id, name, owner, public: isPublic, type, ...rest }: BucketRow) {
  return { id, name, owner: owner ?? '', public: isPublic, type, ...rest };
}

function withoutType(row: BucketRow) {
  const { type: _, ...bucket } = bucketJson(row);
  return bucket;
}

/** Older Python clients fail on unknown keys. */
function cannotReadType(sent: Record<string, string | string[] | undefined>): boolean {
  return (
    isOlderClient(sent['x-client-info'], /supabase-py\/(\d+)\.(\d+)\.(\d+)/i, [2, 18, 0]) ||
    isOlderClient(sent['user-agent'], /supabase-py\/storage3 v(\d+)\.(\d+)\.(\d+)/i, [0, 12, 1])
  );
}
