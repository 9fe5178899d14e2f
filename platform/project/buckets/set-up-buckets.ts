/** Creates or changes the buckets that a project declares, and uploads their objects. */
import { isDeepStrictEqual } from 'node:util';
import type { DeclaredBucket } from '../config-file/bucket-keys.ts';
import { contentTypeOf } from './content-type.ts';
import { findObjects, type ObjectFile } from './find-objects.ts';
import { callStorage, type StorageApi } from './storage-api.ts';

const CONCURRENT_UPLOADS = 5;
/** Default of the official client. */
const CACHE_CONTROL = 'max-age=3600';

/** Options of {@link setUpBuckets}. */
interface BucketSetup {
  buckets: readonly DeclaredBucket[];
  /** Whether the files of `objects_path` are uploaded; they replace objects of the same key. */
  uploadsObjects: boolean;
  api: StorageApi;
  /** Receives lines for the user. */
  onProgress: (line: string) => void;
}

/**
 * Creates buckets that do not exist, and changes others whose declared properties differ; undeclared properties and
 * undeclared buckets stay as they are. Throws `ProjectError` for a missing folder before anything is changed, and for a
 * bucket or a file that the storage API rejects.
 */
export async function setUpBuckets({ buckets, uploadsObjects, api, onProgress }: BucketSetup): Promise<void> {
  if (buckets.length === 0) return;
  const objects = await Promise.all(buckets.map(uploadsObjects ? findObjects : async () => []));
  const existing = (await callStorage(
    api,
    { method: 'GET', path: '/bucket' },
    'listing buckets',
  )) as BucketJson[];
  for (const [index, bucket] of buckets.entries()) {
    await ensureBucket(bucket, { existing, api, onProgress });
    const files = objects[index] ?? [];
    if (files.length === 0) continue;
    onProgress(`uploading ${files.length} file${files.length > 1 ? 's' : ''} to the bucket ${bucket.name}`);
    await uploadAll(bucket, files, api);
  }
}

/** A bucket in a response of the storage API. */
interface BucketJson {
  id: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: readonly string[] | null;
}

type Properties = Partial<Omit<BucketJson, 'id'>>;

interface BucketSources extends Pick<BucketSetup, 'api' | 'onProgress'> {
  existing: readonly BucketJson[];
}

async function ensureBucket(
  bucket: DeclaredBucket,
  { existing, api, onProgress }: BucketSources,
): Promise<void> {
  const { name } = bucket;
  const properties = propertiesOf(bucket);
  const found = existing.find(({ id }) => id === name);
  if (found === undefined) {
    onProgress(`creating the bucket ${name}`);
    const body = { json: { id: name, name, ...properties } };
    await callStorage(api, { method: 'POST', path: '/bucket', body }, purposeOf('creating', name));
  } else if (!isDeepStrictEqual({ ...found, ...properties }, found)) {
    onProgress(`changing the bucket ${name}`);
    const path = `/bucket/${encodeURIComponent(name)}`;
    await callStorage(api, { method: 'PUT', path, body: { json: properties } }, purposeOf('changing', name));
  }
}

function purposeOf(verb: string, name: string): string {
  return `supabase/config.toml, storage.buckets.${name}: ${verb} the bucket failed`;
}

/** Zero and an empty list stand for no limit, as in the format of the file. */
function propertiesOf({ isPublic, fileSizeLimit, allowedMimeTypes }: DeclaredBucket): Properties {
  return {
    ...(isPublic !== undefined && { public: isPublic }),
    ...(fileSizeLimit !== undefined && { file_size_limit: fileSizeLimit || null }),
    ...(allowedMimeTypes !== undefined && {
      allowed_mime_types: allowedMimeTypes.length > 0 ? allowedMimeTypes : null,
    }),
  };
}

/** Uploads some files at a time. After a failure, no further upload begins. */
async function uploadAll(
  bucket: DeclaredBucket,
  files: readonly ObjectFile[],
  api: StorageApi,
): Promise<void> {
  const waiting = [...files];
  const uploadNext = async (): Promise<void> => {
    const file = waiting.shift();
    if (file === undefined) return;
    await upload(bucket, file, api).catch((error: unknown) => {
      waiting.length = 0;
      throw error;
    });
    await uploadNext();
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT_UPLOADS }, uploadNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function upload(
  { name }: DeclaredBucket,
  { path, key, size }: ObjectFile,
  api: StorageApi,
): Promise<void> {
  const contentType = await contentTypeOf(path);
  const headers = { 'content-type': contentType, 'cache-control': CACHE_CONTROL, 'x-upsert': 'true' };
  const target = [name, ...key.split('/')].map(encodeURIComponent).join('/');
  const request = { method: 'POST', path: `/object/${target}`, headers, body: { file: path, size } } as const;
  await callStorage(api, request, `uploading ${path} to the bucket ${name} failed`);
}
