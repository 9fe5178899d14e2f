/** Tests `If-None-Match` of writes. */
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';
import { clientOf, refusalOf } from './testing/client.ts';

const Bucket = 'conditions';
let server: StorageServer;
let s3: S3Client;

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

const put = (Key: string, Body: string, more: Partial<PutObjectCommandInput> = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const putNew = (Key: string, Body: string) => put(Key, Body, { IfNoneMatch: '*' });
const textOf = async (Key: string) =>
  (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

/** Uploads one part. Returns a function that completes the upload. */
async function upload(Key: string, Body: string) {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const target = { Bucket, Key, UploadId };
  const { ETag } = await s3.send(new UploadPartCommand({ ...target, PartNumber: 1, Body }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  return (condition: { IfNoneMatch?: string } = {}) =>
    s3.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload, ...condition }));
}

describe('PutObject with If-None-Match: *', () => {
  it('creates an object', async () => {
    await putNew('new', 'first');
    expect(await textOf('new')).toBe('first');
  });

  it('is rejected for an existing object and stores nothing', async () => {
    await put('existing', 'first');
    const before = await server.contents();
    expect(await refusalOf(putNew('existing', 'second'))).toBe('412 PreconditionFailed');
    expect(await textOf('existing')).toBe('first');
    expect(await server.contents()).toEqual(before);
  });

  it('succeeds for one of several concurrent requests', async () => {
    const before = await server.contents();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => refusalOf(putNew('concurrent', `content ${index}`))),
    );
    expect(results.filter((result) => result === 'none')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['none', '412 PreconditionFailed']));
    expect(await textOf('concurrent')).toBe(`content ${results.indexOf('none')}`);
    expect(await server.contents()).toHaveLength(before.length + 1);
  });

  it('is rejected with an ETag, because S3 supports only *', async () => {
    expect(await refusalOf(put('tagged', 'a', { IfNoneMatch: '"abc"' }))).toBe('501 NotImplemented');
  });
});

describe('CompleteMultipartUpload with If-None-Match: *', () => {
  it('creates an object', async () => {
    const complete = await upload('parts', 'of parts');
    await complete({ IfNoneMatch: '*' });
    expect(await textOf('parts')).toBe('of parts');
  });

  it('is rejected for an existing object and keeps the upload', async () => {
    await put('kept', 'first');
    const complete = await upload('kept', 'of parts');
    expect(await refusalOf(complete({ IfNoneMatch: '*' }))).toBe('412 PreconditionFailed');
    expect(await textOf('kept')).toBe('first');
    const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads?.map(({ Key }) => Key)).toEqual(['kept']);
    await complete();
    expect(await textOf('kept')).toBe('of parts');
  });

  it('succeeds for one of several concurrent uploads to the same key', async () => {
    const uploads = await Promise.all(
      Array.from({ length: 4 }, (_, index) => upload('race', `part ${index}`)),
    );
    const writes = uploads.map((complete) => complete({ IfNoneMatch: '*' }));
    const results = await Promise.all([...writes, putNew('race', 'part 4')].map(refusalOf));
    expect(results.filter((result) => result === 'none')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['none', '412 PreconditionFailed']));
    expect(await textOf('race')).toBe(`part ${results.indexOf('none')}`);
  });
});
