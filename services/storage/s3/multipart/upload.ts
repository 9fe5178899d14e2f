/** Uploads in parts that are under way: finding one, and asking whether its caller may go on with it. */
import { ownerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import { requireMayWrite } from '../../objects/permission.ts';
import { type BegunUpload, principalOf, requireSamePrincipal } from '../../quotas/principal.ts';
import { asCaller } from '../../scope.ts';
import type { PartsName } from '../../store/object-store.ts';
import { removeContent } from '../../store/remove-content.ts';
import type { S3Request } from '../request/s3-request.ts';
import { selectUpload, type UploadRow } from './rows.ts';

/**
 * The upload that a request names, if its caller may write the object: that is asked anew each time. The bucket and the key
 * must be those that it was begun for, since policies are asked about these. Throws NoSuchUpload and AccessDenied.
 */
export async function requireUpload(request: S3Request): Promise<UploadRow> {
  const upload = await findUpload(request);
  requireSamePrincipal(begunUpload(upload), principalOf(request.asking.caller));
  await requireMayUpload(request, upload);
  return upload;
}

/** The upload for who only reads: it is theirs, or policies on the table of uploads show it. Throws NoSuchUpload. */
export async function requireVisibleUpload(request: S3Request): Promise<UploadRow> {
  const upload = await findUpload(request);
  const { context, asking } = request;
  try {
    requireSamePrincipal(begunUpload(upload), principalOf(asking.caller));
    return upload;
  } catch {
    const { id, bucket_id, key } = upload;
    const visible = selectUpload(id, bucket_id, key);
    const [seen] = await asCaller<UploadRow>(context.database, asking.caller, asking.request, visible);
    if (seen === undefined) throw failure('NoSuchUpload');
    return seen;
  }
}

function begunUpload({ owner_id: ownerId, begun_by: begunBy }: UploadRow): BegunUpload {
  return { ownerId, begunBy };
}

/** As the owner of the table, whoever is asking. Throws NoSuchUpload. */
async function findUpload({ context, target, query }: S3Request): Promise<UploadRow> {
  const id = query.get('uploadId') ?? '';
  if (id === '') throw failure('InvalidUploadId');
  const [upload] = await context.database.query<UploadRow>(selectUpload(id, target.bucket, target.key));
  if (upload === undefined) throw failure('NoSuchUpload');
  return upload;
}

/** Asks policies about the object as it would be. Throws AccessDenied. */
export async function requireMayUpload(
  { context, asking, target }: S3Request,
  { metadata, user_metadata }: Pick<UploadRow, 'metadata' | 'user_metadata'>,
): Promise<void> {
  const { mimetype } = metadata ?? {};
  const tried = {
    bucket: target.bucket,
    key: target.key,
    ...ownerOf(asking.caller),
    metadata: { mimetype },
    userMetadata: user_metadata,
  };
  await requireMayWrite(context, asking, tried, true);
}

/** Removes what has come of one whose row is gone. It may be whole already, where somebody was cut off while completing it. */
export async function removeParts(context: Context, upload: UploadRow): Promise<void> {
  const name = partsNameOf(upload);
  await context.store.abortParts(name);
  await removeContent(context, [name]);
}

/** As the store knows it. */
export function partsNameOf({ bucket_id, key, version, id }: UploadRow): PartsName {
  return { bucket: bucket_id, key, version, uploadId: id };
}
