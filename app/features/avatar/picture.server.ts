/**
 * A user's picture on the server. Its bucket has no policies: the server issues a signed URL for each upload, and removes
 * files. Both require the service key.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { backendUnreachable, refused } from '../../session/page-errors.ts';
import { PICTURES_BUCKET, picturePartsOf, picturePath } from '../../session/storage-address.ts';
import { sessionContext, siteContext } from '../../shell/request/contexts.server.ts';
import { type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
import type { PictureUpload } from './picture-form.ts';
import { removePictures } from './remove-pictures.ts';

const BUCKET_OPTIONS = {
  public: true,
  fileSizeLimit: 1_048_576,
  allowedMimeTypes: ['image/png', 'image/webp'],
};

/** Returns whether the server can store pictures: a hosted backend may have no service key. */
export function canStorePictures({ context }: Pick<VisitorArgs, 'context'>): boolean {
  return context.get(siteContext).options.serviceRoleKey !== undefined;
}

/** Runs a form of the page; its fields are those of `PictureForm`. */
export async function changePicture(args: VisitorArgs): Promise<Response> {
  const { context, request } = args;
  const owner = context.get(sessionContext)?.claims.sub;
  const client = await context.get(siteContext).backend.forAdministration();
  if (owner === undefined || client === undefined) throw refused({ status: 403, code: 'unclearForm' });
  const form = await request.formData();
  const type = form.get('type');
  if (form.get('intent') === 'tidy') return tidy(args, client, owner);
  if (form.get('intent') === 'upload' && (type === 'webp' || type === 'png')) {
    return Response.json(await createUpload(client, `${owner}/${crypto.randomUUID()}.${type}`));
  }
  throw refused({ status: 400, code: 'unclearForm' });
}

/** The bucket is created for the first picture, so that a project without pictures has no bucket of ours. */
async function createUpload(client: SupabaseClient, path: string): Promise<PictureUpload> {
  const bucket = client.storage.from(PICTURES_BUCKET);
  const first = await bucket.createSignedUploadUrl(path);
  if (first.data) return { path, token: first.data.token };
  // Fails if another request has just created it.
  await client.storage.createBucket(PICTURES_BUCKET, BUCKET_OPTIONS);
  const { data, error } = await bucket.createSignedUploadUrl(path);
  if (error) throw backendUnreachable();
  return { path, token: data.token };
}

async function tidy(args: VisitorArgs, client: SupabaseClient, owner: string): Promise<Response> {
  const { data, error } = await (await visitorClient(args)).auth.getUser();
  if (error) throw backendUnreachable();
  const current = picturePartsOf(picturePath(data.user.user_metadata) ?? '');
  await removePictures(client, owner, current?.bucket === PICTURES_BUCKET ? current.name : undefined);
  return new Response(null, { status: 204 });
}
