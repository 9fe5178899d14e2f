/** Tests ListObjectVersions, and the deletion of all versions of a bucket. */
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';
import { clientOf, refusalOf, sessionClient } from './testing/client.ts';

const Bucket = 'versions';
const KEYS = ['B', 'a', 'a b', 'a/1', 'a/2', 'a/b/3', 'a0', 'b/1', 'c'];
let server: StorageServer;
let s3: S3Client;

async function fill(bucket: string): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (const Key of KEYS) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
}

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  await fill(Bucket);
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

async function list(query: Partial<ListObjectVersionsCommandInput> = {}, client = s3) {
  const page = await client.send(new ListObjectVersionsCommand({ Bucket, ...query }));
  const keys = page.Versions?.map(({ Key }) => Key) ?? [];
  return { ...page, keys, folders: page.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [] };
}

/** Lists all pages as SDKs do, with both markers of the previous page. */
async function listAll(query: Partial<ListObjectVersionsCommandInput>) {
  const found: (string | undefined)[] = [];
  let [KeyMarker, VersionIdMarker]: (string | undefined)[] = [];
  do {
    const page = await list({ ...query, KeyMarker, VersionIdMarker });
    found.push(...page.keys, ...page.folders);
    [KeyMarker, VersionIdMarker] = [page.NextKeyMarker, page.NextVersionIdMarker];
  } while (KeyMarker !== undefined);
  return found;
}

describe('ListObjectVersions', () => {
  it('lists each object once, with the version id null', async () => {
    const { keys, Versions, DeleteMarkers, IsTruncated, MaxKeys, Name } = await list();
    expect(keys).toEqual(KEYS);
    expect({ DeleteMarkers, IsTruncated, MaxKeys, Name }).toEqual({
      DeleteMarkers: undefined,
      IsTruncated: false,
      MaxKeys: 1000,
      Name: Bucket,
    });
    expect(Versions?.[2]).toEqual({
      Key: 'a b',
      VersionId: 'null',
      IsLatest: true,
      LastModified: expect.any(Date),
      ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      Size: 3,
      StorageClass: 'STANDARD',
    });
  });

  it('lists an object once after it was overwritten', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'c', Body: 'longer' }));
    const { Versions } = await list({ Prefix: 'c' });
    expect(Versions).toMatchObject([{ Key: 'c', VersionId: 'null', Size: 6 }]);
  });

  it.each<[Partial<ListObjectVersionsCommandInput>, string[], string[]]>([
    [{ Delimiter: '/' }, ['B', 'a', 'a b', 'a0', 'c'], ['a/', 'b/']],
    [{ Prefix: 'a/', Delimiter: '/' }, ['a/1', 'a/2'], ['a/b/']],
    [{ Prefix: 'a/' }, ['a/1', 'a/2', 'a/b/3'], []],
    [{ KeyMarker: 'a/2' }, ['a/b/3', 'a0', 'b/1', 'c'], []],
    [{ KeyMarker: 'a/2', VersionIdMarker: 'null' }, ['a/b/3', 'a0', 'b/1', 'c'], []],
    [{ KeyMarker: 'a/', Delimiter: '/' }, ['a0', 'c'], ['b/']],
    [{ EncodingType: 'url', Prefix: 'a ' }, ['a%20b'], []],
    [{ MaxKeys: 0 }, [], []],
  ])('lists for %j the keys %j', async (query, keys, folders) => {
    expect(await list(query)).toMatchObject({ keys, folders, IsTruncated: false });
  });

  it.each([undefined, '/', 'b'])('lists the same in pages, with delimiter %s', async (Delimiter) => {
    const whole = await list({ Delimiter });
    for (const MaxKeys of [1, 2, 3, 4]) {
      expect((await listAll({ Delimiter, MaxKeys })).toSorted()).toEqual(
        [...whole.keys, ...whole.folders].toSorted(),
      );
    }
  });

  it('encodes markers if the client requests it', async () => {
    expect(await list({ EncodingType: 'url', MaxKeys: 3 })).toMatchObject({
      EncodingType: 'url',
      NextKeyMarker: 'a%20b',
      NextVersionIdMarker: 'null',
    });
  });

  it('lists only objects that policies show to the user', async () => {
    await server.run(`create policy one on storage.objects for select to authenticated using (name = 'a/1')`);
    const user = sessionClient(server, await server.token({ sub: 'ann' }));
    expect((await list({}, user)).keys).toEqual(['a/1']);
    user.destroy();
  });

  it('rejects a version marker without a key', async () => {
    expect(await refusalOf(list({ VersionIdMarker: 'null' }))).toBe('400 InvalidArgument');
    expect(await refusalOf(list({ Bucket: 'none' }))).toBe('404 NoSuchBucket');
  });
});

describe('the deletion of all versions', () => {
  const purged = 'purged';
  const emptied = async () => (await list({ Bucket: purged })).keys;

  it('empties a bucket one by one', async () => {
    await fill(purged);
    for (const { Key, VersionId } of (await list({ Bucket: purged })).Versions ?? []) {
      await s3.send(new DeleteObjectCommand({ Bucket: purged, Key, VersionId }));
    }
    expect(await emptied()).toEqual([]);
    await s3.send(new DeleteBucketCommand({ Bucket: purged }));
  });

  it('empties a bucket in one request, and reports the version ids', async () => {
    await fill(purged);
    const Objects = (await list({ Bucket: purged })).Versions?.map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    }));
    const { Deleted, Errors } = await s3.send(
      new DeleteObjectsCommand({ Bucket: purged, Delete: { Objects } }),
    );
    expect(Deleted).toEqual(Objects);
    expect(Errors).toBeUndefined();
    expect(await emptied()).toEqual([]);
    await s3.send(new DeleteBucketCommand({ Bucket: purged }));
  });

  it('keeps an object whose version id is unknown', async () => {
    const Delete = { Objects: [{ Key: 'B', VersionId: 'other' }] };
    const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
    expect({ Deleted, Errors }).toMatchObject({
      Deleted: undefined,
      Errors: [{ Key: 'B', VersionId: 'other', Code: 'NoSuchVersion' }],
    });
    const single = new DeleteObjectCommand({ Bucket, Key: 'B', VersionId: 'other' });
    expect(await refusalOf(s3.send(single))).toBe('501 NotImplemented');
    expect((await list({ Prefix: 'B' })).keys).toEqual(['B']);
  });
});
