/** Tests that the limits of metadata apply to every kind of write. */
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from '../s3/testing/client.ts';
import { StorageServer } from '../testing/storage-server.ts';

const MAX_BYTES = 1000;
const SECONDS = '9'.repeat(MAX_BYTES - 'max-age='.length);
/** `ü` has two bytes. */
const TYPE = `text/${'ü'.repeat((MAX_BYTES - 'text/'.length - 1) / 2)}x`;
const HEADER = `text/${'x'.repeat(MAX_BYTES - 'text/'.length)}`;
const refusalFor = (name: string) => ({
  status: 400,
  json: {
    statusCode: '400',
    error: 'InvalidRequest',
    message: `The ${name} has more than 1000 bytes`,
    code: 'InvalidRequest',
  },
});
const LONG_TYPE = refusalFor('content type');
const LONG_CACHE = refusalFor('cache control');

let server: StorageServer;
let s3: S3Client;
const request: StorageServer['request'] = (target, options) => server.request(target, options);

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  for (const name of ['b', 'c']) await request('POST /bucket', { body: { name } });
  await request('POST /object/b/source', { body: 'x', headers: { 'content-type': 'text/plain' } });
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

async function keysLike(pattern: string): Promise<string[]> {
  const rows = await server.rows<{ name: string }>('select name from storage.objects where name like $1', [
    pattern,
  ]);
  return rows.map(({ name }) => name);
}

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append('file', new Blob(['x']), 'file.txt');
  return data;
}

describe.each([
  ['POST', async (): Promise<string> => 'POST /object/b/form', undefined],
  ['PUT', async (): Promise<string> => 'PUT /object/b/form', undefined],
  [
    'link',
    async (): Promise<string> => {
      const { json } = await request('POST /object/upload/sign/b/form', { body: {} });
      return `PUT ${(json as { url: string }).url}`;
    },
    null,
  ],
] as const)('a form that is uploaded by %s', (_name, targetOf, token) => {
  const send = async (fields: Record<string, string>) =>
    request(await targetOf(), { body: form(fields), ...(token === null && { token }) });

  it.each([
    ['cacheControl', `${SECONDS}9`, LONG_CACHE],
    ['cacheControl', '9'.repeat(1_000_000), LONG_CACHE],
    ['contentType', `${TYPE}x`, LONG_TYPE],
    ['contentType', 'x'.repeat(1_000_000), LONG_TYPE],
  ])('is rejected with a field %s that is too long', async (name, value, refusal) => {
    expect(await send({ [name]: value })).toMatchObject(refusal);
    expect(await keysLike('form')).toEqual([]);
  });

  it('is stored with metadata of the largest sizes', async () => {
    const metadata = JSON.stringify({ text: 'x'.repeat(1024 * 1024 - '{"text":""}'.length) });
    expect((await send({ cacheControl: SECONDS, contentType: TYPE, metadata })).status).toBe(200);
    const [row] = await server.rows<{ metadata: object; length: number }>(
      `select metadata, length(user_metadata ->> 'text') from storage.objects where name = 'form'`,
    );
    expect(row).toMatchObject({ metadata: { mimetype: TYPE, cacheControl: `max-age=${SECONDS}` } });
    expect(row?.length).toBe(1024 * 1024 - '{"text":""}'.length);
    await request('DELETE /object/b/form');
  });
});

it.each([
  ['content-type', LONG_TYPE],
  ['cache-control', LONG_CACHE],
])('a body with a header %s that is too long is rejected', async (name, refusal) => {
  const send = (value: string) => request('POST /object/b/raw', { body: 'x', headers: { [name]: value } });
  expect(await send(`${HEADER}x`)).toMatchObject(refusal);
  expect((await send(HEADER)).status).toBe(200);
  await request('DELETE /object/b/raw');
});

describe('a copy', () => {
  const copy = (metadata: object, destinationKey = 'copied') =>
    request('POST /object/copy', {
      body: { bucketId: 'b', sourceKey: 'source', destinationKey, copyMetadata: false, metadata },
    });

  it.each([
    ['mimetype', `${TYPE}x`, LONG_TYPE],
    ['cacheControl', `${HEADER}x`, LONG_CACHE],
  ])('is rejected with a %s that is too long', async (name, value, refusal) => {
    expect(await copy({ [name]: value })).toMatchObject(refusal);
    expect(await keysLike('copied')).toEqual([]);
  });

  it('is stored with replaced metadata of the largest sizes', async () => {
    expect((await copy({ mimetype: TYPE, cacheControl: HEADER }, 'largest')).status).toBe(200);
  });

  it('of an object with longer metadata, which an earlier version stored, is rejected', async () => {
    await request('POST /object/b/former', { body: 'x' });
    await server.run(
      `update storage.objects set metadata = metadata || jsonb_build_object('cacheControl', repeat('x', 1001))
        where name = 'former'`,
    );
    const body = { bucketId: 'b', sourceKey: 'former', destinationKey: 'former-copy' };
    expect(await request('POST /object/copy', { body })).toMatchObject(LONG_CACHE);
    expect(await request('POST /object/move', { body: { ...body, destinationBucket: 'c' } })).toMatchObject(
      LONG_CACHE,
    );
    // Within the bucket, a move adds nothing.
    expect((await request('POST /object/move', { body })).status).toBe(200);
  });
});

describe('the S3 protocol', () => {
  const target = { Bucket: 'b', Key: 's3' };

  it.each([
    [
      'ContentType',
      'PutObject',
      () => new PutObjectCommand({ ...target, Body: 'x', ContentType: `${HEADER}x` }),
    ],
    [
      'CacheControl',
      'PutObject',
      () => new PutObjectCommand({ ...target, Body: 'x', CacheControl: `${HEADER}x` }),
    ],
    [
      'CacheControl',
      'CreateMultipartUpload',
      () => new CreateMultipartUploadCommand({ ...target, CacheControl: `${HEADER}x` }),
    ],
    [
      'ContentType',
      'CopyObject',
      () =>
        new CopyObjectCommand({
          ...target,
          CopySource: 'b/source',
          MetadataDirective: 'REPLACE',
          ContentType: `${HEADER}x`,
        }),
    ],
  ])('rejects a %s that is too long in %s', async (_field, _operation, command) => {
    // The union of commands has no common overload.
    expect(await refusalOf(s3.send(command() as PutObjectCommand))).toBe('400 InvalidRequest');
    expect(await keysLike('s3')).toEqual([]);
  });
});

describe('a resumable upload', () => {
  const begin = (metadata: Record<string, string>) => {
    const pairs = Object.entries({ bucketName: 'b', objectName: 'tus', ...metadata });
    return request('POST /upload/resumable', {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': pairs
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(','),
      },
    });
  };

  it.each([
    ['contentType', `${TYPE}x`, 'The content type has more than 1000 bytes'],
    ['cacheControl', `${SECONDS}9`, 'The cache control has more than 1000 bytes'],
  ])('is rejected when it begins with a %s that is too long', async (name, value, message) => {
    const { status, text } = await begin({ [name]: value });
    expect({ status, text }).toEqual({ status: 400, text: message });
  });

  it('begins with metadata of the largest sizes, and with user metadata of 64 KiB', async () => {
    const metadata = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
    expect((await begin({ contentType: TYPE, cacheControl: SECONDS, metadata })).status).toBe(201);
  });
});
