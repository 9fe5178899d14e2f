/** One request to an upload: who it comes from, what it wants, and whether it may. */
import { ERRORS, Metadata } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { requireBucket } from '../buckets/read.ts';
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { requireMayWrite } from '../objects/permission.ts';
import { askingOf } from '../request/authentication.ts';
import type { ContentName } from '../store/object-store.ts';
import { requireMimeType } from '../validate/mime-type.ts';
import { requireBucketName, requireValidKey } from '../validate/names.ts';
import { maxBytesOf } from '../validate/size-limit.ts';
import type { ObjectOwner } from './finish.ts';
import { selectUpload, type UploadRow } from './rows.ts';
import { parseUploadId } from './upload-id.ts';
import { labelsOf, type UploadMetadata, userMetadataOf } from './upload-metadata.ts';

/** A request. */
export interface UploadRequest {
  /** Throws NoSuchBucket. */
  maxBytes(id: string | null): Promise<number>;
  /** Throws where the caller may not do what is asked; reading how far an upload is needs no policy. */
  authorize(id: string): Promise<void>;
  /** Whether its bucket takes what it says that it is. Throws InvalidMimeType. */
  requireType(id: string, metadata: UploadMetadata): Promise<void>;
  /** Whose the object will be. */
  owner(): ObjectOwner;
}

/** One with a session: policies are asked. */
export function requestOfCaller(context: Context, request: FastifyRequest): UploadRequest {
  const { caller } = askingOf(request);
  const isUpsert = request.headers['x-upsert'] === 'true';
  return {
    ...limitsOf(context),
    async authorize(id) {
      const name = requireName(id);
      if (request.method === 'HEAD') return;
      const { length, metadata } =
        request.method === 'POST' ? announced(request) : await requireUpload(context, name);
      const tried = {
        ...name,
        ...ownerOf(caller),
        metadata: { mimetype: metadata.contentType ?? undefined, contentLength: length ?? undefined },
        userMetadata: userMetadataOf(metadata),
      };
      await requireMayWrite(context, askingOf(request), tried, isUpsert);
    },
    owner: () => ({ ...ownerOf(caller), isUpsert }),
  };
}

/** One with a link in header `x-signature`: policies were asked when it was signed. */
export function requestOfLink(context: Context, request: FastifyRequest): UploadRequest {
  let owner: ObjectOwner | undefined;
  return {
    ...limitsOf(context),
    async authorize(id) {
      const { bucket, key } = requireName(id);
      const signature = request.headers['x-signature'];
      if (typeof signature !== 'string' || signature === '') {
        throw failure('InvalidSignature', { message: 'Missing x-signature header' });
      }
      const claims = await context.links.verify(signature, 'upload', `${bucket}/${key}`);
      const subject = typeof claims.owner === 'string' ? claims.owner : undefined;
      owner = { ...ownerOf({ subject }), isUpsert: claims.upsert === true };
    },
    owner() {
      if (owner === undefined) throw new Error('the link has not been verified');
      return owner;
    },
  };
}

function limitsOf(context: Context): Pick<UploadRequest, 'maxBytes' | 'requireType'> {
  const instanceLimit = context.config.maxObjectBytes;
  return {
    async maxBytes(id) {
      if (id === null) return instanceLimit;
      const { bucket, key } = requireName(id);
      const { file_size_limit: bucketLimit } = await requireBucket(context, bucket);
      return maxBytesOf({ key, bucketLimit, instanceLimit });
    },
    async requireType(id, metadata) {
      const { bucket, key } = requireName(id);
      const { allowed_mime_types: rules } = await requireBucket(context, bucket);
      requireMimeType(labelsOf(metadata).contentType, rules, key);
    },
  };
}

/** Throws InvalidBucketName, InvalidKey. An upload that can have no such name is not there. */
function requireName(id: string): ContentName {
  const name = parseUploadId(id);
  if (name === undefined) throw ERRORS.FILE_NOT_FOUND;
  requireBucketName(name.bucket);
  requireValidKey(name.key);
  return name;
}

async function requireUpload({ database }: Context, name: ContentName): Promise<UploadRow> {
  const [row] = await database.query<UploadRow>(selectUpload(name));
  if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
  return row;
}

/** What a new upload says of itself. The server has looked at the form of these headers. */
function announced({ headers }: FastifyRequest): { length: number | null; metadata: UploadMetadata } {
  const metadata = headers['upload-metadata'];
  const length = headers['upload-length'];
  return {
    length: length === undefined ? null : Number(length),
    metadata: typeof metadata === 'string' ? Metadata.parse(metadata) : {},
  };
}
