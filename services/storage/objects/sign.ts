/** Creates links. */
import { ownerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { changeManyAsCaller } from '../queries.ts';
import type { ObjectPath } from '../request/object-path.ts';
import { selectNames } from '../rows/objects.ts';
import type { AccessContext } from '../scope.ts';
import { requireNewKey, requireValidKey } from '../validate/names.ts';
import type { UserMetadata } from '../validate/user-metadata.ts';
import { findVisible } from './find.ts';
import { requireMayWrite } from './permission.ts';

/** Additional claims of a link to an image. */
interface TransformClaims {
  transformations?: string;
  format?: string;
}

const NOT_VISIBLE = 'Either the object does not exist or you do not have access to it';

/** Returns a link to an object that the caller may see, valid for `seconds`. Throws NoSuchKey. */
export async function signDownload(
  context: Context,
  access: AccessContext,
  path: ObjectPath,
  seconds: number,
  transform: TransformClaims = {},
): Promise<string> {
  requireValidKey(path.key);
  await findVisible(context, access, path);
  const route = transform.transformations ? '/render/image/sign' : '/object/sign';
  return linkTo(context, route, path, seconds, transform);
}

/** Result for one path of many. */
interface SignedPath {
  error: string | null;
  path: string;
  signedURL: string | null;
}

/** Returns links to those objects that the caller may see, in the order of `keys`. */
export async function signDownloads(
  context: Context,
  access: AccessContext,
  bucket: string,
  keys: readonly string[],
  seconds: number,
): Promise<SignedPath[]> {
  const rows = await changeManyAsCaller<{ name: string }>(context, access, selectNames(bucket, keys));
  const seen = new Set(rows.map(({ name }) => name));
  return keys.map((key) =>
    seen.has(key)
      ? { error: null, path: key, signedURL: linkTo(context, '/object/sign', { bucket, key }, seconds) }
      : { error: NOT_VISIBLE, path: key, signedURL: null },
  );
}

/** The upload that a link permits. */
interface SignedUpload {
  isUpsert: boolean;
  mimeType: string | undefined;
  size: number | undefined;
  userMetadata: UserMetadata | undefined;
}

/** Returns a link for an upload if the caller may perform it. Throws AccessDenied. */
export async function signUpload(
  context: Context,
  access: AccessContext,
  path: ObjectPath,
  { isUpsert, mimeType, size, userMetadata }: SignedUpload,
): Promise<{ url: string; token: string }> {
  requireNewKey(path.key);
  const metadata = { mimetype: mimeType, contentLength: size };
  const attempted = { ...path, ...ownerOf(access.caller), metadata, userMetadata: userMetadata ?? null };
  await requireMayWrite(context, access, attempted, isUpsert);
  const url = `${path.bucket}/${path.key}`;
  const { subject: owner } = access.caller;
  const claims = { ...(owner !== undefined && { owner }), url, upsert: isUpsert };
  const token = context.links.sign('upload', claims, context.config.signedUploadSeconds);
  return { url: `/object/upload/sign/${pathText(path)}?token=${token}`, token };
}

function linkTo(
  { links }: Context,
  route: string,
  path: ObjectPath,
  seconds: number,
  transform: TransformClaims = {},
): string {
  const token = links.sign('download', { ...transform, url: `${path.bucket}/${path.key}` }, seconds);
  return `${route}/${pathText(path)}?token=${token}`;
}

/** Encodes only `?`, which would end the path; clients encode all other characters. */
function pathText({ bucket, key }: ObjectPath): string {
  return `${bucket}/${key}`.replaceAll('?', '%3F');
}
