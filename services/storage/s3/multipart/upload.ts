/** Finds multipart uploads, and checks whether the caller may continue them. */
import { ownerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import { requireMayWrite } from '../../objects/permission.ts';
import { principalOf, requireSamePrincipal, type StartedUpload } from '../../quotas/principal.ts';
import { asCaller } from '../../scope.ts';
import type { PartsName } from '../../store/object-store.ts';
import { removeContentOfUncommitted } from '../../store/remove-content.ts';
import type { S3Request } from '../request/s3-request.ts';
import { selectUpload, type UploadRow } from './rows.ts';

/**
 * Returns the upload of a request if its caller may write the object, which is checked on each request. Bucket and key
 * must be those of the upload, since policies are evaluated for them. Throws NoSuchUpload and AccessDenied.
 */
export async function requireUpload(request: S3Request): Promise<UploadRow> {
  const upload = await findUpload(request);
  requireSamePrincipal(startedUpload(upload), principalOf(request.access.caller));
  await requireMayUpload(request, upload);
  return upload;
}

/**
 * Returns the upload for reading, if the caller began it or policies on the table of uploads permit it. Throws
 * NoSuchUpload.
 */
export async function requireVisibleUpload(request: S3Request): Promise<UploadRow> {
  const upload = await findUpload(request);
  const { context, access } = request;
  try {
    requireSamePrincipal(startedUpload(upload), principalOf(access.caller));
    return upload;
  } catch {
    const { id, bucket_id, key } = upload;
    const visible = selectUpload(id, bucket_id, key);
    const [seen] = await asCaller<UploadRow>(context.database, access.caller, access.request, visible);
    if (seen === undefined) throw failure('NoSuchUpload');
    return seen;
  }
}

function startedUpload({ owner_id: ownerId, begun_by: begunBy }: UploadRow): StartedUpload {
  return { ownerId, begunBy };
}

/** Finds the upload as the owner of the table, regardless of the caller. Throws NoSuchUpload. */
async function findUpload({ context, target, query }: S3Request): Promise<UploadRow> {
  const id = query.get('uploadId') ?? '';
  if (id === '') throw failure('InvalidUploadId');
  const [upload] = await context.database.query<UploadRow>(selectUpload(id, target.bucket, target.key));
  if (upload === undefined) throw failure('NoSuchUpload');
  return upload;
}

/** Evaluates policies for the object that the upload would write. Throws AccessDenied. */
export async function requireMayUpload(
  { context, access, target }: S3Request,
  { metadata, user_metadata }: Pick<UploadRow, 'metadata' | 'user_metadata'>,
): Promise<void> {
  const { mimetype } = metadata ?? {};
  const attempted = {
    bucket: target.bucket,
    key: target.key,
    ...ownerOf(access.caller),
    metadata: { mimetype },
    userMetadata: user_metadata,
  };
  await requireMayWrite(context, access, attempted, true);
}

/**
 * Removes the parts of an upload whose row is deleted. Also removes its content, which exists if a completion was
 * interrupted: the completion was not committed, because it would have deleted the row.
 */
export async function removeParts(context: Context, upload: UploadRow): Promise<void> {
  const name = partsNameOf(upload);
  await context.store.abortParts(name);
  await removeContentOfUncommitted(context, [name]);
}

/** Returns the name of the upload in the store. */
export function partsNameOf({ bucket_id, key, version, id }: UploadRow): PartsName {
  return { bucket: bucket_id, key, version, uploadId: id };
}
