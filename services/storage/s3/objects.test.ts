import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  type ListObjectsCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';
import { clientOf, refusalOf } from './testing/client.ts';

const Bucket = 'things';
let server: StorageServer;
let s3: S3Client;

beforeAll(async () => {
  server = await StorageServer.open({
    settings: { FILE_SIZE_LIMIT: '5MB', S3_PROTOCOL_REGION: 'eu-here-1' },
  });
  s3 = clientOf(server);
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

const put = (
  Key: string,
  Body: PutObjectCommandInput['Body'] = Key,
  more: Partial<PutObjectCommandInput> = {},
) => s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const textOf = async (Key: string) => (await get(Key)).Body?.transformToString();
const md5 = (data: Buffer | string) => `"${createHash('md5').update(data).digest('hex')}"`;

describe('a bucket', () => {
  it('is created, found, listed and deleted', async () => {
    const created = await s3.send(new CreateBucketCommand({ Bucket: 'second', ACL: 'public-read' }));
    expect(created.Location).toBe('/second');
    expect(await server.rows(`select public from storage.buckets where id = 'second'`)).toEqual([
      { public: true },
    ]);
    const found = await s3.send(new HeadBucketCommand({ Bucket: 'second' }));
    expect(found.BucketRegion).toBe('eu-here-1');
    const { Buckets = [] } = await s3.send(new ListBucketsCommand());
    expect(Buckets.map(({ Name }) => Name)).toEqual(['second', 'things']);
    expect(Buckets[0]?.CreationDate).toBeInstanceOf(Date);
    expect(await refusalOf(s3.send(new CreateBucketCommand({ Bucket: 'second' })))).toBe(
      '409 BucketAlreadyExists',
    );
    await s3.send(new DeleteBucketCommand({ Bucket: 'second' }));
    expect(await refusalOf(s3.send(new HeadBucketCommand({ Bucket: 'second' })))).toBe('404 NotFound');
    expect(await refusalOf(s3.send(new DeleteBucketCommand({ Bucket: 'second' })))).toBe('404 NoSuchBucket');
  });

  it('with objects in it cannot be deleted', async () => {
    await put('stays');
    expect(await refusalOf(s3.send(new DeleteBucketCommand({ Bucket })))).toBe('409 ResourceNotEmpty');
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'stays' }));
  });

  it('reports its region and suspended versioning', async () => {
    const location = await s3.send(new GetBucketLocationCommand({ Bucket }));
    expect(location.LocationConstraint).toBe('eu-here-1');
    const versioning = await s3.send(new GetBucketVersioningCommand({ Bucket }));
    expect(versioning.Status).toBe('Suspended');
    for (const Command of [GetBucketLocationCommand, GetBucketVersioningCommand]) {
      expect(await refusalOf(s3.send(new Command({ Bucket: 'none' })))).toBe('404 NoSuchBucket');
    }
  });

  it('with an invalid name is rejected', async () => {
    expect(await refusalOf(s3.send(new CreateBucketCommand({ Bucket: 'x~y' })))).toBe(
      '400 InvalidBucketName',
    );
  });
});

describe('an object', () => {
  it('is downloaded unchanged, with its metadata', async () => {
    const data = randomBytes(300_000);
    const sent = await put('folder/data.bin', data, {
      ContentType: 'image/png',
      CacheControl: 'max-age=60',
      Metadata: { Author: 'ann', note: 'a b' },
    });
    expect(sent.ETag).toBe(md5(data));
    const got = await get('folder/data.bin');
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? [])).toEqual(data);
    const expected = {
      ContentLength: data.length,
      ContentType: 'image/png',
      CacheControl: 'max-age=60',
      ETag: md5(data),
      Metadata: { author: 'ann', note: 'a b' },
    };
    expect(got).toMatchObject(expected);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'folder/data.bin' }));
    expect(head).toMatchObject({ ...expected, LastModified: expect.any(Date) });
    const { TagSet } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'folder/data.bin' }));
    expect(TagSet).toEqual([]);
  });

  it('is overwritten, with default type and cache control', async () => {
    await put('twice', 'one');
    await put('twice', 'two');
    expect(await textOf('twice')).toBe('two');
    expect(await get('twice')).toMatchObject({
      ContentType: 'application/octet-stream',
      CacheControl: 'no-cache',
      Metadata: {},
    });
  });

  it.each(['a b', "it's (1)!*", 'a//b', '/a', 'a+b&c=d;e:f@g,h?i$j', 'a/'])(
    'may be named %j',
    async (key) => {
      await put(key, 'x');
      expect(await textOf(key)).toBe('x');
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: key }));
      expect(Contents.map(({ Key }) => Key)).toEqual([key]);
      await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
      expect(await refusalOf(get(key))).toBe('404 NoSuchKey');
    },
  );

  it.each(['ä', 'a#b', 'a~b', 'a[b', 'a%b', 'a\u0001b'])('cannot be named %j', async (key) => {
    expect(await refusalOf(put(key))).toBe('400 InvalidKey');
  });

  it('that is empty may represent a folder', async () => {
    await put('empty/', '', { ContentLength: 0 });
    expect(await textOf('empty/.emptyFolderPlaceholder')).toBe('');
    await put('zero', '', { ContentLength: 0 });
    expect(await textOf('zero')).toBe('');
  });

  it('may be a stream of known length', async () => {
    const data = randomBytes(400_000);
    const chunks = [data.subarray(0, 100_000), data.subarray(100_000)];
    const sent = await put('stream', Readable.from(chunks), { ContentLength: data.length });
    expect(sent.ETag).toBe(md5(data));
  });

  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    'with the checksum %s is accepted only if it is correct',
    async (algorithm) => {
      if (algorithm !== 'CRC64NVME')
        await put(`checked/${algorithm}`, 'hello', { ChecksumAlgorithm: algorithm });
      const values = {
        CRC32: { ChecksumCRC32: 'NhCmhg==' },
        CRC32C: { ChecksumCRC32C: 'mnG7TA==' },
        CRC64NVME: { ChecksumCRC64NVME: 'M3eFcAZSQlc=' },
        SHA1: { ChecksumSHA1: 'qvTGHdzF6KLavt4PO0gs2a6pQ00=' },
        SHA256: { ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' },
      };
      await put('checked/value', 'hello', values[algorithm]);
      expect(await refusalOf(put('checked/value', 'other', values[algorithm]))).toBe('400 InvalidChecksum');
      expect(await textOf('checked/value')).toBe('hello');
    },
  );

  it('with a wrong Content-MD5 is rejected and leaves nothing behind', async () => {
    const work = put('wrong-md5', 'hello', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' });
    expect(await refusalOf(work)).toBe('400 InvalidChecksum');
    expect(await refusalOf(get('wrong-md5'))).toBe('404 NoSuchKey');
  });

  it('that is too large is rejected', async () => {
    expect(await refusalOf(put('large', Buffer.alloc(5_000_001)))).toBe('413 EntityTooLarge');
  });

  it('of a type that the bucket does not allow is rejected', async () => {
    await server.run(
      `insert into storage.buckets (id, name, allowed_mime_types) values ('images', 'images', '{image/*}')`,
    );
    const send = (ContentType: string) =>
      refusalOf(s3.send(new PutObjectCommand({ Bucket: 'images', Key: 'a', Body: 'a', ContentType })));
    expect(await send('text/plain')).toBe('415 InvalidMimeType');
    expect(await send('image/png')).toBe('none');
  });

  it('in a missing bucket is rejected', async () => {
    const where = { Bucket: 'none', Key: 'a' };
    expect(await refusalOf(s3.send(new PutObjectCommand({ ...where, Body: 'a' })))).toBe('404 NoSuchBucket');
    expect(await refusalOf(s3.send(new GetObjectCommand(where)))).toBe('404 NoSuchKey');
    expect(await refusalOf(s3.send(new DeleteObjectCommand(where)))).toBe('404 NoSuchBucket');
    expect(await refusalOf(s3.send(new ListObjectsV2Command({ Bucket: 'none' })))).toBe('404 NoSuchBucket');
  });
});

describe('reading', () => {
  const Key = 'read.txt';
  beforeAll(() => put(Key, '0123456789', { ContentType: 'text/html' }));

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ])('returns the range %s', async (Range, text, range) => {
    const got = await get(Key, { Range });
    expect(await got.Body?.transformToString()).toBe(text);
    expect(got).toMatchObject({ ContentRange: range, ContentLength: text.length });
    expect(got.$metadata.httpStatusCode).toBe(206);
  });

  it('rejects a range after the end', async () => {
    expect(await refusalOf(get(Key, { Range: 'bytes=10-' }))).toBe('416 InvalidRange');
  });

  it('responds with 304 for unchanged content', async () => {
    const { ETag, LastModified } = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    for (const condition of [{ IfNoneMatch: ETag }, { IfModifiedSince: LastModified }]) {
      expect(await refusalOf(get(Key, condition))).toMatch(/^304 /);
      expect(await refusalOf(s3.send(new HeadObjectCommand({ Bucket, Key, ...condition })))).toMatch(/^304 /);
    }
    expect(await refusalOf(get(Key, { IfNoneMatch: '"other"' }))).toBe('none');
  });

  it('overrides headers by the query, but prevents scripts from running', async () => {
    const got = await get(Key, {
      ResponseContentType: 'text/x-mine',
      ResponseContentDisposition: 'attachment; filename="a.txt"',
      ResponseCacheControl: 'no-store',
      ResponseContentLanguage: 'de',
      ResponseExpires: new Date('2030-01-01T00:00:00Z'),
    });
    expect(got).toMatchObject({
      ContentType: 'text/x-mine',
      ContentDisposition: 'attachment; filename="a.txt"',
      CacheControl: 'no-store',
      ContentLanguage: 'de',
      ExpiresString: 'Tue, 01 Jan 2030 00:00:00 GMT',
    });
  });

  it('counts metadata that headers cannot represent', async () => {
    await server.run(`update storage.objects set user_metadata = '{"Plain":"yes","list":[1],"umlaut":"ä","a b":"c"}'
      where name = '${Key}'`);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({ Metadata: { plain: 'yes' }, MissingMeta: 3 });
  });
});

describe('a copy', () => {
  beforeAll(() => put('source', 'to be copied', { ContentType: 'text/plain', Metadata: { a: '1' } }));
  const copy = (Key: string, more = {}) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `/${Bucket}/source`, ...more }));

  it('has content and metadata of its source', async () => {
    const { CopyObjectResult } = await copy('copy');
    expect(CopyObjectResult).toMatchObject({ ETag: md5('to be copied'), LastModified: expect.any(Date) });
    expect(await textOf('copy')).toBe('to be copied');
    expect(await get('copy')).toMatchObject({ ContentType: 'text/plain', Metadata: { a: '1' } });
  });

  it('overwrites an object and may replace metadata', async () => {
    await put('copy-2', 'before');
    const own = { ContentType: 'text/csv', Metadata: { b: '2' }, MetadataDirective: 'REPLACE' };
    await copy('copy-2', own);
    expect(await textOf('copy-2')).toBe('to be copied');
    expect(await get('copy-2')).toMatchObject({ ContentType: 'text/csv', Metadata: { b: '2' } });
    await copy('copy-2', { ...own, CopySource: `${Bucket}/copy-2`, Metadata: { c: '3' } });
    expect(await get('copy-2')).toMatchObject({ Metadata: { c: '3' } });
  });

  it.each([
    [`${Bucket}/from/a b+c.txt`],
    [`/${Bucket}/from/a b+c.txt`],
    [`${Bucket}/from/a%20b%2Bc.txt`],
    [encodeURIComponent(`${Bucket}/from/a b+c.txt`)],
    [encodeURIComponent(`/${Bucket}/from/a b+c.txt`)],
    [`/${encodeURIComponent(`${Bucket}/from/a b+c.txt`)}`],
    [`${Bucket}/from%2fa%20b+c.txt?versionId=null`],
  ])('has the source %s', async (CopySource) => {
    await put('from/a b+c.txt', 'encoded');
    await copy('copy-4', { CopySource });
    expect(await textOf('copy-4')).toBe('encoded');
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'copy-4' }));
  });

  it.each([
    ['of a missing object', { CopySource: `${Bucket}/nothing` }, '404 NoSuchKey'],
    ['of an encoded bucket without a key', { CopySource: `%2F${Bucket}%2F` }, '400 MissingParameter'],
    ['of a source that is not encoded correctly', { CopySource: `${Bucket}/%2` }, '400 InvalidRequest'],
    ['of a bucket', { CopySource: Bucket }, '400 MissingParameter'],
    ['to a missing bucket', { Bucket: 'none' }, '404 NoSuchBucket'],
    ['to an invalid key', { Key: 'ä' }, '400 InvalidKey'],
    ['with an unknown directive', { MetadataDirective: 'SOME' }, '400 InvalidRequest'],
    ['if the source has another tag', { CopySourceIfMatch: '"other"' }, '412 PreconditionFailed'],
    [
      'unless the source has the same tag',
      { CopySourceIfNoneMatch: md5('to be copied') },
      '412 PreconditionFailed',
    ],
    [
      'if the source is unchanged since an earlier time',
      { CopySourceIfUnmodifiedSince: new Date(0) },
      '412 PreconditionFailed',
    ],
    [
      'if the source has changed since a later time',
      { CopySourceIfModifiedSince: new Date(Date.now() + 3_600_000) },
      '412 PreconditionFailed',
    ],
    ['if the source has the same tag', { CopySourceIfMatch: md5('to be copied') }, 'none'],
    ['if the source has changed since an earlier time', { CopySourceIfModifiedSince: new Date(0) }, 'none'],
  ])('%s has the result: $2', async (_name, more, refusal) => {
    expect(await refusalOf(copy('copy-3', more))).toBe(refusal);
  });
});

describe('deleting', () => {
  it('succeeds for a missing object', async () => {
    const { $metadata } = await s3.send(new DeleteObjectCommand({ Bucket, Key: 'never' }));
    expect($metadata.httpStatusCode).toBe(204);
  });

  it('reports the result of each object', async () => {
    for (const key of ['d/1', 'd/2', 'd/<&>']) await put(key.replace('<&>', '&'));
    const remove = (Quiet: boolean, ...keys: string[]) =>
      s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Quiet, Objects: keys.map((Key) => ({ Key })) } }));
    const { Deleted, Errors } = await remove(false, 'd/1', 'd/2', 'd/none', 'd/&');
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['d/1', 'd/2', 'd/none', 'd/&']);
    expect(Errors).toBeUndefined();
    expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'd/' }))).KeyCount).toBe(0);
    expect((await remove(true, 'd/1')).Deleted).toBeUndefined();
    const many = Array.from({ length: 1001 }, (_, index) => `many-${index}`);
    expect(await refusalOf(remove(false, ...many))).toBe('400 MalformedXML');
    expect((await remove(false, ...many.slice(1))).Deleted).toHaveLength(1000);
  });
});

describe('lists', () => {
  const L = 'lists';
  const KEYS = ['B', 'a', 'a b', 'a/1', 'a/2', 'a/b/3', 'a0', 'b/1', 'c'];
  beforeAll(async () => {
    await s3.send(new CreateBucketCommand({ Bucket: L }));
    for (const Key of KEYS) await s3.send(new PutObjectCommand({ Bucket: L, Key, Body: Key }));
  });
  const list = async (more: Partial<ListObjectsV2CommandInput> = {}) => {
    const found = await s3.send(new ListObjectsV2Command({ Bucket: L, ...more }));
    const keys = found.Contents?.map(({ Key }) => Key) ?? [];
    return { ...found, keys, folders: found.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [] };
  };

  it('are in byte order, with sizes and ETags', async () => {
    const { keys, Contents, KeyCount, IsTruncated, MaxKeys, Name } = await list();
    expect(keys).toEqual(KEYS);
    expect({ KeyCount, IsTruncated, MaxKeys, Name }).toEqual({
      KeyCount: 9,
      IsTruncated: false,
      MaxKeys: 1000,
      Name: L,
    });
    expect(Contents?.[2]).toMatchObject({
      Size: 3,
      ETag: md5('a b'),
      StorageClass: 'STANDARD',
      LastModified: expect.any(Date),
    });
  });

  it.each<[Partial<ListObjectsV2CommandInput>, string[], string[]]>([
    [{ Delimiter: '/' }, ['B', 'a', 'a b', 'a0', 'c'], ['a/', 'b/']],
    [{ Prefix: 'a/', Delimiter: '/' }, ['a/1', 'a/2'], ['a/b/']],
    [{ Prefix: 'a', Delimiter: '/' }, ['a', 'a b', 'a0'], ['a/']],
    [{ Prefix: 'a/' }, ['a/1', 'a/2', 'a/b/3'], []],
    [{ Prefix: 'A' }, [], []],
    [{ Prefix: 'a_' }, [], []],
    [{ StartAfter: 'a/2' }, ['a/b/3', 'a0', 'b/1', 'c'], []],
    [{ StartAfter: 'a/2', Prefix: 'a/' }, ['a/b/3'], []],
    [{ Delimiter: '0' }, ['B', 'a', 'a b', 'a/1', 'a/2', 'a/b/3', 'b/1', 'c'], ['a0']],
    [{ Delimiter: '/b/' }, ['B', 'a', 'a b', 'a/1', 'a/2', 'a0', 'b/1', 'c'], ['a/b/']],
    [{ EncodingType: 'url', Prefix: 'a ' }, ['a%20b'], []],
    [{ MaxKeys: 0 }, [], []],
  ])('contain for %j the keys %j', async (query, keys, folders) => {
    expect(await list(query)).toMatchObject({ keys, folders, IsTruncated: false });
  });

  it.each([undefined, '/', 'b'])(
    'are equal with and without pagination, with delimiter %s',
    async (Delimiter) => {
      for (const pageSize of [1, 2, 3, 4]) {
        const keys: (string | undefined)[] = [];
        const folders: (string | undefined)[] = [];
        for await (const page of paginateListObjectsV2({ client: s3, pageSize }, { Bucket: L, Delimiter })) {
          expect(page.KeyCount).toBeLessThanOrEqual(pageSize);
          keys.push(...(page.Contents ?? []).map(({ Key }) => Key));
          folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix));
        }
        const whole = await list({ Delimiter });
        expect({ keys, folders }).toEqual({ keys: whole.keys, folders: whole.folders });
      }
    },
  );

  it('of the first version have keys as markers', async () => {
    const old = (more: Partial<ListObjectsCommandInput>) =>
      s3.send(new ListObjectsCommand({ Bucket: L, MaxKeys: 4, ...more }));
    const first = await old({});
    expect(first).toMatchObject({ IsTruncated: true, Marker: '' });
    expect(first.NextMarker).toBeUndefined();
    const next = await old({ Marker: 'a/1' });
    expect(next.Contents?.map(({ Key }) => Key)).toEqual(['a/2', 'a/b/3', 'a0', 'b/1']);
    const folders = await old({ Delimiter: '/' });
    expect(folders).toMatchObject({ NextMarker: 'a/', CommonPrefixes: [{ Prefix: 'a/' }] });
    const rest = await old({ Delimiter: '/', Marker: 'a/' });
    expect(rest.Contents?.map(({ Key }) => Key)).toEqual(['a0', 'c']);
  });

  it.each([
    [{ MaxKeys: -1 }, '400 InvalidRequest'],
    [{ ContinuationToken: 'x' }, '400 InvalidParameter'],
    [{ EncodingType: 'base64' as 'url' }, '400 InvalidRequest'],
  ])('reject %j', async (query, refusal) => {
    expect(await refusalOf(list(query))).toBe(refusal);
  });
});
