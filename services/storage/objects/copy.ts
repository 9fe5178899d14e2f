/** Copies objects. */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { limitKeysOf, runLimited } from '../limits.ts';
import type { ObjectPath } from '../request/object-path.ts';
import type { ObjectMetadata, ObjectRow } from '../rows/objects.ts';
import type { AccessContext } from '../scope.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { requireNewKey } from '../validate/names.ts';
import type { UserMetadata } from '../validate/user-metadata.ts';
import { findVisible } from './find.ts';
import { targetBucket } from './permission.ts';
import { saveObject } from './save.ts';
import { sizeOf } from './size.ts';

/** Attempts of a copy, which is retried if the source is overwritten meanwhile. */
const ATTEMPTS = 3;

/** Source, target and metadata of a copy. */
interface CopyRequest {
  from: ObjectPath;
  to: ObjectPath;
  isUpsert: boolean;
  /** Replaces metadata; undefined: the copy has the metadata of its source. */
  replaced?: {
    cacheControl?: string | undefined;
    mimetype?: string | undefined;
    /** Whether fields that are not given here are taken from the source. */
    keepsOtherFields: boolean;
    userMetadata: UserMetadata | undefined;
  };
}

/**
 * Copies an object that the caller may see to a key that the caller may write. Throws NoSuchKey, KeyAlreadyExists, and
 * the errors of an upload of the same content to the bucket.
 */
export async function copyObject(
  context: Context,
  access: AccessContext,
  copy: CopyRequest,
): Promise<ObjectRow> {
  requireNewKey(copy.to.key);
  return runLimited(context.limits.uploads, limitKeysOf(access), () => copyVisible(context, access, copy));
}

async function copyVisible(context: Context, access: AccessContext, copy: CopyRequest): Promise<ObjectRow> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const source = await findVisible(context, access, copy.from);
    try {
      return await tryToCopy(context, access, copy, source);
    } catch (error) {
      if (!(error instanceof SourceNotFound)) throw error;
    }
  }
  throw failure('ContentNotFound');
}

/** The source was overwritten or removed before its content was copied. */
class SourceNotFound extends Error {}

/** Copies once. Throws SourceNotFound if the content no longer exists. */
async function tryToCopy(
  context: Context,
  access: AccessContext,
  { to, isUpsert, replaced }: CopyRequest,
  source: ObjectRow,
): Promise<ObjectRow> {
  const { bucket_id: bucket, name: key, version: sourceVersion } = source;
  if (sourceVersion === null) throw failure('ContentNotFound');
  const metadata = metadataOfCopy(source.metadata ?? {}, replaced);
  const userMetadata = replaced === undefined ? source.user_metadata : (replaced.userMetadata ?? null);
  const row = { ...to, ...ownerOf(access.caller), metadata, userMetadata };
  const target = await targetBucket(context, access, row, isUpsert);
  const size = await sizeOf(context, source).catch(throwSourceNotFound);
  const instanceLimit = context.config.maxObjectBytes;
  const { mimetype: mimeType, cacheControl } = metadata;
  requireAccepted(target, { key: to.key, mimeType, cacheControl, size, instanceLimit });
  const spaceRequest = { ...to, ownerId: row.ownerId, isUpsert, maxBytes: size, size };
  return context.quotas.withReservation(spaceRequest, async (reservation) => {
    const version = randomUUID();
    const from = { bucket, key, version: sourceVersion };
    await context.store.copy(from, { ...to, version }).catch(throwSourceNotFound);
    const lastModified = new Date().toISOString();
    const copied = { ...row, metadata: { ...metadata, size, lastModified }, version };
    return saveObject(context, copied, { access, isUpsert, by: 'copy', reservation });
  });
}

function metadataOfCopy(
  metadata: Partial<ObjectMetadata>,
  replaced: CopyRequest['replaced'],
): Partial<ObjectMetadata> {
  if (replaced === undefined) return metadata;
  const { cacheControl, mimetype, keepsOtherFields } = replaced;
  const { cacheControl: _, mimetype: __, ...others } = metadata;
  return {
    ...(keepsOtherFields ? metadata : others),
    ...(cacheControl !== undefined && { cacheControl }),
    ...(mimetype !== undefined && { mimetype }),
  };
}

function throwSourceNotFound(error: unknown): never {
  throw error instanceof CatalogueError && error.code === 'NoSuchKey' ? new SourceNotFound() : error;
}
