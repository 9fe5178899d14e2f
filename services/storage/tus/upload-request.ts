/** One request to an upload: its caller, its limits and its authorization. */
import { ERRORS, Metadata } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { requireBucket } from '../buckets/read.ts';
import { ownerOf, SERVICE_CALLER } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { requireMayWrite } from '../objects/permission.ts';
import { type Principal, principalOf, requireSamePrincipal } from '../quotas/principal.ts';
import { accessContextOf } from '../request/authentication.ts';
import { requestDetailsOf } from '../request/request-details.ts';
import type { BucketRow } from '../rows/buckets.ts';
import type { AccessContext } from '../scope.ts';
import type { ContentName } from '../store/object-store.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { requireBucketName, requireNewKey } from '../validate/names.ts';
import { maxBytesOf } from '../validate/size-limit.ts';
import type { ObjectOwner } from './finish.ts';
import { selectUpload, type UploadRow } from './rows.ts';
import { parseUploadId } from './upload-id.ts';
import { labelsOf, type UploadMetadata, userMetadataOf, withCacheControl } from './upload-metadata.ts';

/** Authorization and limits of one request. */
export interface UploadRequest {
  /** Caller and request, as triggers see them. */
  access: AccessContext;
  /** Throws NoSuchBucket. */
  maxBytes(id: string | null): Promise<number>;
  /** Throws if the caller lacks permission. Reading the offset of an own upload needs no policy. */
  authorize(id: string): Promise<void>;
  /** Checks type, length and metadata of a new upload. Throws InvalidRequest, InvalidMimeType, EntityTooLarge. */
  requireAccepted(id: string, upload: { metadata: UploadMetadata; size: number | undefined }): Promise<void>;
  /** Owner of the new object. */
  owner(): ObjectOwner;
  /** Principal of the request. */
  principal(): Principal;
}

/** A request with a session token: policies are evaluated. */
export function requestOfCaller(context: Context, request: FastifyRequest): UploadRequest {
  const access = accessContextOf(request);
  const { caller } = access;
  const isUpsert = request.headers['x-upsert'] === 'true';
  const requirePolicies = async (name: ContentName, row: UploadRow | undefined) => {
    const { length, metadata } = row ?? declaredUpload(request);
    const attempted = {
      ...name,
      ...ownerOf(caller),
      metadata: { mimetype: metadata.contentType ?? undefined, contentLength: length ?? undefined },
      userMetadata: userMetadataOf(metadata),
    };
    await requireMayWrite(context, access, attempted, isUpsert);
  };
  return {
    access,
    ...limitsOf(context),
    async authorize(id) {
      const name = requireName(id);
      const row = request.method === 'POST' ? undefined : await requireUpload(context, name);
      // Reading the offset of an own upload needs no policy. Older rows do not record who began them.
      if (request.method !== 'HEAD' || row?.begunBy === null) await requirePolicies(name, row);
      if (row !== undefined) requireSamePrincipal(row, principalOf(caller));
    },
    owner: () => ({ ...ownerOf(caller), isUpsert }),
    principal: () => principalOf(caller),
  };
}

/** A request with a link in header `x-signature`: policies were evaluated when the link was signed. */
export function requestOfLink(context: Context, request: FastifyRequest): UploadRequest {
  let owner: ObjectOwner | undefined;
  return {
    access: { caller: SERVICE_CALLER, request: requestDetailsOf(request) },
    ...limitsOf(context),
    async authorize(id) {
      const name = requireName(id);
      const { bucket, key } = name;
      const signature = request.headers['x-signature'];
      if (typeof signature !== 'string' || signature === '') {
        throw failure('InvalidSignature', { message: 'Missing x-signature header' });
      }
      const claims = await context.links.verify(signature, 'upload', `${bucket}/${key}`);
      const subject = typeof claims.owner === 'string' ? claims.owner : undefined;
      owner = { ...ownerOf({ subject }), isUpsert: claims.upsert === true };
      if (request.method !== 'POST') {
        requireSamePrincipal(await requireUpload(context, name), principalOfLink(owner));
      }
    },
    owner: () => requireOwner(owner),
    principal: () => principalOfLink(requireOwner(owner)),
  };
}

function requireOwner(owner: ObjectOwner | undefined): ObjectOwner {
  if (owner === undefined) throw new Error('the link was not verified before its owner was requested');
  return owner;
}

function principalOfLink({ ownerId }: ObjectOwner): Principal {
  return { ownerId, begunBy: 'link' };
}

function limitsOf(context: Context): Pick<UploadRequest, 'maxBytes' | 'requireAccepted'> {
  const instanceLimit = context.config.maxObjectBytes;
  let found: Promise<BucketRow> | undefined;
  const bucketOf = (bucket: string) => {
    found ??= requireBucket(context, bucket);
    return found;
  };
  return {
    async maxBytes(id) {
      if (id === null) return instanceLimit;
      const { bucket, key } = requireName(id);
      const { file_size_limit: bucketLimit } = await bucketOf(bucket);
      return maxBytesOf({ key, bucketLimit, instanceLimit });
    },
    async requireAccepted(id, { metadata, size }) {
      const { bucket, key } = requireName(id);
      const { contentType: mimeType, cacheControl } = labelsOf(withCacheControl(metadata));
      requireAccepted(await bucketOf(bucket), { key, mimeType, cacheControl, size, instanceLimit });
    },
  };
}

/** Parses and validates an upload id. Throws InvalidBucketName and InvalidKey, or not found if the id is malformed. */
function requireName(id: string): ContentName {
  const name = parseUploadId(id);
  if (name === undefined) throw ERRORS.FILE_NOT_FOUND;
  requireBucketName(name.bucket);
  requireNewKey(name.key);
  return name;
}

async function requireUpload({ database }: Context, name: ContentName): Promise<UploadRow> {
  const [row] = await database.query<UploadRow>(selectUpload(name));
  if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
  return row;
}

/** Reads length and metadata of a new upload. The tus server has validated the syntax of these headers. */
function declaredUpload({ headers }: FastifyRequest): { length: number | null; metadata: UploadMetadata } {
  const metadata = headers['upload-metadata'];
  const length = headers['upload-length'];
  return {
    length: length === undefined ? null : Number(length),
    metadata: typeof metadata === 'string' ? Metadata.parse(metadata) : {},
  };
}
