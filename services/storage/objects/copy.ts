/** Copying objects. */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import type { Asking } from '../scope.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { requireValidKey } from '../validate/names.ts';
import type { UserMetadata } from '../validate/user-metadata.ts';
import { findVisible, type ObjectPath } from './find.ts';
import { targetBucket } from './permission.ts';
import type { ObjectMetadata, ObjectRow } from './rows.ts';
import { saveObject } from './save.ts';
import { sizeOf } from './size.ts';

/** So often a copy is begun anew because the source was overwritten meanwhile. */
const ATTEMPTS = 3;

/** What is copied, and how. */
export interface CopyRequest {
  from: ObjectPath;
  to: ObjectPath;
  isUpsert: boolean;
  /** Undefined: the copy has the metadata of its source. */
  replaced?: {
    cacheControl?: string | undefined;
    mimetype?: string | undefined;
    /** Whether what is not said above is taken from the source. */
    keepsOthers: boolean;
    userMetadata: UserMetadata | undefined;
  };
}

/** Copies one that the caller may see to where the caller may write. Throws NoSuchKey, KeyAlreadyExists, and
 * what an upload of the content to the bucket would throw. */
export async function copyObject(context: Context, asking: Asking, copy: CopyRequest): Promise<ObjectRow> {
  requireValidKey(copy.to.key);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const source = await findVisible(context, asking, copy.from);
    const copied = await tryToCopy(context, asking, copy, source);
    if (copied !== undefined) return copied;
  }
  throw failure('ContentNotFound');
}

/** Undefined where the content is no longer there. */
async function tryToCopy(
  context: Context,
  asking: Asking,
  { to, isUpsert, replaced }: CopyRequest,
  source: ObjectRow,
): Promise<ObjectRow | undefined> {
  const { bucket_id: bucket, name: key, version: sourceVersion } = source;
  if (sourceVersion === null) throw failure('ContentNotFound');
  const metadata = metadataOfCopy(source.metadata ?? {}, replaced);
  const userMetadata = replaced === undefined ? source.user_metadata : (replaced.userMetadata ?? null);
  const row = { ...to, ...ownerOf(asking.caller), metadata, userMetadata };
  const target = await targetBucket(context, asking, row, isUpsert);
  const size = await sizeOf(context, source).catch(orGone);
  if (size === false) return undefined;
  const instanceLimit = context.config.maxObjectBytes;
  requireAccepted(target, { key: to.key, mimeType: metadata.mimetype, size, instanceLimit });
  const version = randomUUID();
  const isCopied = await context.store.copy({ bucket, key, version: sourceVersion }, { ...to, version }).then(
    () => true,
    (error: unknown) => orGone(error),
  );
  if (!isCopied) return undefined;
  const lastModified = new Date().toISOString();
  return saveObject(
    context,
    { ...row, metadata: { ...metadata, lastModified }, version },
    { asking, isUpsert, by: 'copy' },
  );
}

function metadataOfCopy(
  metadata: Partial<ObjectMetadata>,
  replaced: CopyRequest['replaced'],
): Partial<ObjectMetadata> {
  if (replaced === undefined) return metadata;
  const { cacheControl, mimetype, keepsOthers } = replaced;
  const { cacheControl: _, mimetype: __, ...others } = metadata;
  return {
    ...(keepsOthers ? metadata : others),
    ...(cacheControl !== undefined && { cacheControl }),
    ...(mimetype !== undefined && { mimetype }),
  };
}

function orGone(error: unknown): false {
  if (error instanceof CatalogueError && error.code === 'NoSuchKey') return false;
  throw error;
}
