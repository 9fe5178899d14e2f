/** Which requests the setup of buckets sends. server/project-buckets.test.ts runs it on a real storage service. */
import { expect, it } from 'vitest';
import { createTestProject } from '../testing/project-folder.ts';
import { setUpBuckets } from './set-up-buckets.ts';
import type { StorageApi, StorageRequest } from './storage-api.ts';

const BUCKET = {
  name: 'a b',
  isPublic: undefined,
  fileSizeLimit: undefined,
  allowedMimeTypes: undefined,
  objects: undefined,
};
const EXISTING = { id: 'a b', public: true, file_size_limit: 5, allowed_mime_types: ['image/png'] };

/** Returns the requests that change something. */
async function changesOf(
  bucket: object,
  existing: object[],
  respond?: StorageApi,
): Promise<StorageRequest[]> {
  const sent: StorageRequest[] = [];
  const api: StorageApi = async (request) => {
    if (request.method === 'GET') return { status: 200, json: existing };
    sent.push(request);
    return respond?.(request) ?? { status: 200, json: {} };
  };
  await setUpBuckets({
    buckets: [{ ...BUCKET, ...bucket }],
    uploadsObjects: true,
    api,
    onProgress: () => undefined,
  });
  return sent;
}

it.each<[string, object, object[], object[]]>([
  [
    'creates a bucket',
    {},
    [],
    [{ method: 'POST', path: '/bucket', body: { json: { id: 'a b', name: 'a b' } } }],
  ],
  ['leaves a bucket without declared properties', {}, [EXISTING], []],
  [
    'leaves a bucket with the declared properties',
    { isPublic: true, fileSizeLimit: 5, allowedMimeTypes: ['image/png'] },
    [EXISTING],
    [],
  ],
  [
    'changes declared properties only',
    { isPublic: false },
    [EXISTING],
    [{ method: 'PUT', path: '/bucket/a%20b', body: { json: { public: false } } }],
  ],
  [
    'removes limits that are zero or empty',
    { fileSizeLimit: 0, allowedMimeTypes: [] },
    [EXISTING],
    [
      {
        method: 'PUT',
        path: '/bucket/a%20b',
        body: { json: { file_size_limit: null, allowed_mime_types: null } },
      },
    ],
  ],
])('%s', async (_, bucket, existing, expected) => {
  expect(await changesOf(bucket, existing)).toEqual(expected);
});

it('starts no further upload after a failed one', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`files/${index}.txt`, 'x']));
  await using project = await createTestProject(files);
  const objects = { path: `${project.supabaseFolder}/files`, origin: '' };
  let uploads = 0;
  const failing = changesOf({ objects }, [EXISTING], async () => {
    uploads += 1;
    return { status: 413, json: { message: 'too large' } };
  });
  await expect(failing).rejects.toThrow(/uploading .*files\/\d+\.txt to the bucket a b failed: too large$/);
  expect(uploads).toBe(5);
});
