/** Tests that the rules of a bucket apply to every kind of write. */
import { randomUUID } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from '../s3/testing/client.ts';
import { StorageServer } from '../testing/storage-server.ts';

const TOO_LARGE = { status: 400, json: { statusCode: '413', code: 'EntityTooLarge' } };
const WRONG_TYPE = { status: 400, json: { statusCode: '415', code: 'InvalidMimeType' } };

let server: StorageServer;
let s3: S3Client;
const request: StorageServer['request'] = (target, options) => server.request(target, options);
const upload = (path: string, type: string, body = 'x') =>
  request(`PUT /object/${path}`, { headers: { 'content-type': type }, body });
const typeOf = async (path: string) =>
  ((await request(`GET /object/info/${path}`)).json as { content_type?: string }).content_type;

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  await request('POST /bucket', { body: { name: 'any' } });
  await request('POST /bucket', {
    body: { name: 'images', public: true, allowed_mime_types: ['image/png'], file_size_limit: 10 },
  });
  await upload('any/page.html', 'text/html');
  await upload('any/big.png', 'image/png', 'x'.repeat(11));
  await upload('any/good.png', 'image/png', 'x'.repeat(10));
  await upload('any/folder/.emptyFolderPlaceholder', 'text/html', '');
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

describe.each(['copy', 'move'])('%s', (change) => {
  const to = (sourceKey: string, more: object = {}) =>
    request(`POST /object/${change}`, {
      body: {
        bucketId: 'any',
        sourceKey,
        destinationBucket: 'images',
        destinationKey: `${change}-${sourceKey}`,
        ...more,
      },
    });

  it('rejects a type that the target bucket does not allow', async () => {
    expect(await to('page.html')).toMatchObject(WRONG_TYPE);
    expect(await to('folder/.emptyFolderPlaceholder', { destinationKey: 'page' })).toMatchObject(WRONG_TYPE);
  });

  it('rejects content that is larger than the target bucket allows', async () => {
    expect(await to('big.png')).toMatchObject(TOO_LARGE);
  });

  it('rejects content for a placeholder of a folder', async () => {
    const placeholder = { destinationBucket: 'any', destinationKey: 'x/.emptyFolderPlaceholder' };
    expect(await to('page.html', placeholder)).toMatchObject(TOO_LARGE);
  });

  it('accepts content that the target bucket allows', async () => {
    await upload('any/good.png', 'image/png', 'x'.repeat(10));
    expect((await to('good.png')).status).toBe(200);
    expect(await typeOf(`images/${change}-good.png`)).toBe('image/png');
  });
});

describe('a move within a bucket', () => {
  it('renames an object that the bucket would no longer accept', async () => {
    await request('POST /bucket', { body: { name: 'narrowed' } });
    await upload('narrowed/a.html', 'text/html');
    await request('PUT /bucket/narrowed', { body: { allowed_mime_types: ['image/png'] } });
    const body = { bucketId: 'narrowed', sourceKey: 'a.html', destinationKey: 'b.html' };
    expect((await request('POST /object/move', { body })).status).toBe(200);
    expect(
      await request('POST /object/copy', {
        body: { ...body, sourceKey: 'b.html', destinationKey: 'c.html' },
      }),
    ).toMatchObject(WRONG_TYPE);
  });
});

describe('metadata that changes the type', () => {
  it('is rejected for a copy of an object onto itself', async () => {
    await upload('images/self.png', 'image/png');
    const response = await request('POST /object/copy', {
      headers: { 'x-upsert': 'true' },
      body: {
        bucketId: 'images',
        sourceKey: 'self.png',
        destinationKey: 'self.png',
        copyMetadata: false,
        metadata: { mimetype: 'text/html' },
      },
    });
    expect(response).toMatchObject(WRONG_TYPE);
    expect(await typeOf('images/self.png')).toBe('image/png');
  });

  it.each([
    ['text/html', '415 InvalidMimeType'],
    [undefined, '415 InvalidMimeType'],
    ['image/png', 'none'],
  ])('is checked against the bucket when S3 changes it to %s', async (ContentType, refusal) => {
    await upload('images/s3.png', 'image/png');
    const copying = s3.send(
      new CopyObjectCommand({
        Bucket: 'images',
        Key: 's3.png',
        CopySource: 'images/s3.png',
        MetadataDirective: 'REPLACE',
        ContentType,
      }),
    );
    expect(await refusalOf(copying)).toBe(refusal);
  });

  it('is rejected when more than a subtype follows the type', async () => {
    expect(await upload('images/x', 'image/png/x')).toMatchObject(WRONG_TYPE);
  });
});

describe('the S3 protocol', () => {
  const Bucket = 'images';

  it.each([
    ['page.html', '415 InvalidMimeType'],
    ['big.png', '413 EntityTooLarge'],
    ['good.png', 'none'],
  ])('checks a copy of %s against the rules of the bucket', async (source, refusal) => {
    await upload('any/good.png', 'image/png', 'x'.repeat(10));
    await upload('any/big.png', 'image/png', 'x'.repeat(11));
    const copying = new CopyObjectCommand({ Bucket, Key: 'copied', CopySource: `any/${source}` });
    expect(await refusalOf(s3.send(copying))).toBe(refusal);
  });

  it('checks the type of a multipart upload, even if it is not declared', async () => {
    for (const ContentType of ['text/html', undefined]) {
      const beginning = s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts', ContentType }));
      expect(await refusalOf(beginning)).toBe('415 InvalidMimeType');
    }
  });

  it('checks the size of parts that are copied', async () => {
    const named = { Bucket, Key: 'parts' };
    const { UploadId } = await s3.send(
      new CreateMultipartUploadCommand({ ...named, ContentType: 'image/png' }),
    );
    const part = { ...named, UploadId, PartNumber: 1, CopySource: 'any/big.png' };
    expect(await refusalOf(s3.send(new UploadPartCopyCommand(part)))).toBe('413 EntityTooLarge');
  });

  it.each([
    [{ allowed_mime_types: ['image/jpeg'] }, '415 InvalidMimeType'],
    [{ file_size_limit: 3 }, '413 EntityTooLarge'],
  ])('checks a multipart upload against rules that changed since its start: %j', async (rules, refusal) => {
    const name = `later-${randomUUID()}`;
    await request('POST /bucket', { body: { name } });
    const named = { Bucket: name, Key: 'parts' };
    const { UploadId } = await s3.send(
      new CreateMultipartUploadCommand({ ...named, ContentType: 'image/png' }),
    );
    await s3.send(new UploadPartCommand({ ...named, UploadId, PartNumber: 1, Body: 'four' }));
    await request(`PUT /bucket/${name}`, { body: rules });
    const completing = s3.send(new CompleteMultipartUploadCommand({ ...named, UploadId }));
    expect(await refusalOf(completing)).toBe(refusal);
  });

  it('checks the type and size of PutObject', async () => {
    const put = (ContentType: string, Body: string) =>
      refusalOf(s3.send(new PutObjectCommand({ Bucket, Key: 'put', ContentType, Body })));
    expect(await put('text/html', 'x')).toBe('415 InvalidMimeType');
    expect(await put('image/png', 'x'.repeat(11))).toBe('413 EntityTooLarge');
  });
});

describe('a link for an upload', () => {
  it('is checked against the rules when it is used', async () => {
    const { json } = await request('POST /object/upload/sign/images/linked.png', { body: {} });
    const { url } = json as { url: string };
    const send = (type: string, body: string) =>
      request(`PUT ${url}`, { token: null, headers: { 'content-type': type }, body });
    expect(await send('text/html', 'x')).toMatchObject(WRONG_TYPE);
    expect(await send('image/png', 'x'.repeat(11))).toMatchObject(TOO_LARGE);
    expect((await send('image/png', 'x')).status).toBe(200);
  });
});

describe('a resumable upload', () => {
  const encode = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const begin = (bucketName: string, objectName: string, length: number | undefined, contentType: string) =>
    request('POST /upload/resumable', {
      headers: {
        'tus-resumable': '1.0.0',
        ...(length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
        'upload-metadata': encode({ bucketName, objectName, contentType }),
      },
    });
  const send = (location: string, body: string, headers: Record<string, string> = {}) =>
    fetch(location, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${server.apiKeys.serviceRole}`,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        ...headers,
      },
      body,
    });

  it('is checked when it begins', async () => {
    expect((await begin('images', 'a', 1, 'text/html')).status).toBe(415);
    expect((await begin('images', 'a', 11, 'image/png')).status).toBe(413);
  });

  it('cannot have content for a placeholder of a folder, whose limit is zero bytes', async () => {
    const key = 'tus/.emptyFolderPlaceholder';
    expect((await begin('any', key, 1, 'text/html')).status).toBe(413);
    const begun = await begin('any', key, undefined, 'text/html');
    const location = begun.headers.get('location') ?? '';
    expect((await send(location, 'x')).status).toBe(413);
    expect((await send(location, 'x', { 'upload-length': '1' })).status).toBe(413);
  });

  it.each([
    [{ allowed_mime_types: ['image/jpeg'] }, 415],
    [{ file_size_limit: 3 }, 413],
  ])('is checked when it ends, against rules that changed since its start: %j', async (rules, status) => {
    const name = `later-${randomUUID()}`;
    await request('POST /bucket', { body: { name } });
    const begun = await begin(name, 'a', 4, 'image/png');
    await request(`PUT /bucket/${name}`, { body: rules });
    expect((await send(begun.headers.get('location') ?? '', 'four')).status).toBe(status);
    expect((await request(`GET /object/info/${name}/a`)).json).toMatchObject({ code: 'NoSuchKey' });
  });
});
