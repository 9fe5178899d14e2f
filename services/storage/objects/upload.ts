/** Uploads objects: checks the request, and then stores its content. */
import { requireBucket } from '../buckets/read.ts';
import { ownerOf, SERVICE_CALLER } from '../caller.ts';
import type { ReceivedContent } from '../content/receive.ts';
import type { Context } from '../context.ts';
import { limitKeysOf, runLimited } from '../limits.ts';
import type { AccessContext, RequestDetails } from '../scope.ts';
import { requireAccepted } from '../validate/bucket-rules.ts';
import { requireNewKey } from '../validate/names.ts';
import { requireRobotsTag } from '../validate/robots-tag.ts';
import { bucketForWrite } from './permission.ts';
import { metadataOf, saveUpload, type UploadedObject, type WrittenBy } from './save.ts';

/** Target of an upload. */
interface UploadTarget {
  bucket: string;
  key: string;
  isUpsert: boolean;
  /** Largest size for this kind of upload in bytes; the limit of the bucket applies in addition. */
  instanceLimit: number;
  by?: WrittenBy;
}

/**
 * The uploader: a caller whose policies are evaluated, or the owner of a link, for whom they were evaluated when the
 * link was signed.
 */
export type Uploader = { access: AccessContext } | { ownedBy: string | undefined; request: RequestDetails };

/**
 * Stores content as an object. Content is read only after all other checks, whose errors take precedence in this order:
 * missing bucket, declared properties of the content, key, policies.
 */
export function uploadObject(
  context: Context,
  uploader: Uploader,
  target: UploadTarget,
  receive: () => Promise<ReceivedContent>,
  signal?: AbortSignal,
): Promise<UploadedObject> {
  const client = limitKeysOf(accessContextOf(uploader));
  return runLimited(context.limits.uploads, client, () =>
    uploadInPlace(context, uploader, target, receive, signal),
  );
}

/** An upload by a link runs as the service, because the link has been verified. */
function accessContextOf(uploader: Uploader): AccessContext {
  return 'access' in uploader ? uploader.access : { caller: SERVICE_CALLER, request: uploader.request };
}

/** Like {@link uploadObject}, for a caller that holds an upload slot. */
export async function uploadInPlace(
  context: Context,
  uploader: Uploader,
  target: UploadTarget,
  receive: () => Promise<ReceivedContent>,
  signal?: AbortSignal,
): Promise<UploadedObject> {
  const { bucket, key, isUpsert } = target;
  const owner =
    'access' in uploader ? ownerOf(uploader.access.caller) : ownerOf({ subject: uploader.ownedBy });
  const incoming = await receive().catch(async (refusal: unknown) => {
    await requireBucket(context, bucket);
    throw refusal;
  });
  const { mimeType, cacheControl, robotsTag } = incoming;
  const attempted = {
    bucket,
    key,
    ...owner,
    metadata: { mimetype: mimeType, contentLength: incoming.declaredSize ?? incoming.size },
    userMetadata: incoming.userMetadata ?? null,
  };
  const found =
    'access' in uploader
      ? await bucketForWrite(context, uploader.access, attempted, isUpsert)
      : { bucket: await requireBucket(context, bucket), isUnrestricted: false };
  if (robotsTag !== undefined) requireRobotsTag(robotsTag);
  const { size } = incoming;
  const candidate = { key, mimeType, cacheControl, size, instanceLimit: target.instanceLimit };
  const maxBytes = requireAccepted(found.bucket, candidate);
  requireNewKey(key);
  if ('requireMayWrite' in found) found.requireMayWrite();
  const access = accessContextOf(uploader);
  // The whole form is larger than its file.
  const byteLimit = Math.min(maxBytes, incoming.declaredSize ?? maxBytes);
  const spaceRequest = { bucket, key, ownerId: owner.ownerId, isUpsert, maxBytes: byteLimit, size };
  return context.quotas.withReservation(spaceRequest, async (reservation) => {
    const version = context.versions.next();
    const stat = await context.store.write({ bucket, key, version }, incoming.content, {
      maxBytes: reservation.bytes,
      bytes: size,
      contentType: mimeType,
      cacheControl,
      ...(signal && { signal }),
    });
    const row = {
      bucket,
      key,
      ...owner,
      version,
      metadata: metadataOf({ stat, mimeType, cacheControl, robotsTag }),
      userMetadata: incoming.userMetadata ?? {},
    };
    const { isUnrestricted } = found;
    return saveUpload(context, row, {
      access,
      isUpsert,
      by: target.by ?? 'standard',
      reservation,
      isUnrestricted,
    });
  });
}
