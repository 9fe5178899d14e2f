import { randomUUID } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf, sessionClient } from '../s3/testing/client.ts';
import { StorageServer } from '../testing/storage-server.ts';

const EXCEEDED = { status: 400, json: { statusCode: '413', code: 'QuotaExceeded' } };
const USER = 100;
const BUCKET = 150;
const TOTAL = 300;

let server: StorageServer;
let token: string;
let s3: S3Client;
let sub: string;
const request: StorageServer['request'] = (target, options = {}) =>
  server.request(target, { token, ...options });
const upload = (path: string, bytes: number, options: object = {}) =>
  request(`POST /object/${path}`, { body: 'x'.repeat(bytes), ...options });
const usage = async (scope: string, name: string) =>
  Number(
    (
      await server.rows<{ bytes: string }>(
        'select coalesce(sum(bytes), 0) as bytes from storage.usage where scope = $1 and name = $2',
        [scope, name],
      )
    )[0]?.bytes,
  );
/** Usage computed from the rows, which the stored sums must equal. */
const counted = async () =>
  Number(
    (
      await server.rows<{ bytes: string }>(`select
        (select coalesce(sum(storage.object_bytes(version, metadata)), 0) from storage.objects)
        + (select coalesce(sum(storage.resumable_bytes(is_finished, length, reserved, received)), 0)
            from storage.resumable_uploads)
        + (select coalesce(sum(size), 0) from storage.s3_multipart_uploads_parts)
        + (select coalesce(sum(bytes), 0) from storage.upload_reservations) as bytes`)
    )[0]?.bytes,
  );

beforeAll(async () => {
  server = await StorageServer.open({
    settings: {
      STORAGE_QUOTA_PER_USER: String(USER),
      STORAGE_QUOTA_PER_BUCKET: String(BUCKET),
      STORAGE_QUOTA_TOTAL: String(TOTAL),
      STORAGE_MAX_UNFINISHED_UPLOADS: '3',
    },
    sql: `
      create policy everything on storage.objects for all to anon, authenticated using (true) with check (true);
      insert into storage.buckets (id, name) values ('a', 'a'), ('b', 'b'), ('c', 'c');
    `,
  });
});
beforeEach(async () => {
  for (const bucket of ['a', 'b', 'c']) {
    await server.request(`POST /bucket/${bucket}/empty`);
  }
  await server.run('delete from storage.resumable_uploads; delete from storage.s3_multipart_uploads');
  expect(await usage('total', '')).toBe(0);
  sub = randomUUID();
  token = await server.token({ sub });
  s3?.destroy();
  s3 = sessionClient(server, token);
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

/** A resumable upload. */
const begin = (objectName: string, length: number | null, options: object = {}) =>
  request('POST /upload/resumable', {
    ...options,
    headers: {
      'tus-resumable': '1.0.0',
      ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
      'upload-metadata': `bucketName ${btoa('a')},objectName ${btoa(objectName)}`,
    },
  });
const tusPath = (response: { headers: Headers }) =>
  new URL(response.headers.get('location') ?? '').pathname.replace('/storage/v1', '');
const patch = (path: string, body: string, headers: Record<string, string> = {}) =>
  request(`PATCH ${path}`, {
    body,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  });

describe('the quota of an account', () => {
  it.each<[string, () => Promise<{ status: number; text: string }>]>([
    ['an upload', () => upload('b/more', 21)],
    ['an upload of unknown size', () => upload('b/more', 0, { body: new Blob(['x'.repeat(21)]).stream() })],
    [
      'a form',
      () => {
        const form = new FormData();
        form.append('', new Blob(['x'.repeat(21)]));
        return request('POST /object/b/more', { body: form });
      },
    ],
    [
      'a copy',
      () =>
        request('POST /object/copy', {
          body: { bucketId: 'a', sourceKey: 'first', destinationKey: 'second' },
        }),
    ],
  ])('rejects %s beyond it', async (_name, work) => {
    await upload('a/first', 80);
    expect(await work()).toMatchObject(EXCEEDED);
    expect(await usage('user', sub)).toBe(80);
    expect(await counted()).toBe(80);
    expect(await server.contents()).toHaveLength(1);
  });

  it('rejects resumable uploads beyond it as soon as they begin', async () => {
    await upload('a/first', 80);
    expect((await begin('more', 21)).status).toBe(413);
    expect((await begin('some', 15)).status).toBe(201);
    expect((await begin('more', 6)).status).toBe(413);
    expect(await counted()).toBe(95);
  });

  it('rejects a resumable upload of unknown length when it exceeds its reservation', async () => {
    await upload('a/first', 80);
    const path = tusPath(await begin('more', null));
    expect((await begin('other', 1)).status).toBe(413);
    expect((await patch(path, 'x'.repeat(21), { 'upload-length': '21' })).status).toBe(413);
    expect((await patch(path, 'x'.repeat(5))).status).toBe(204);
    expect((await patch(path, 'x'.repeat(16), { 'upload-offset': '5' })).status).toBe(413);
    const end = { 'upload-offset': '5', 'upload-length': '20' };
    expect((await patch(path, 'x'.repeat(15), end)).status).toBe(204);
    expect(await usage('user', sub)).toBe(100);
    expect(await counted()).toBe(100);
  });

  it('counts a resumable upload once, before and after it ends', async () => {
    const path = tusPath(await begin('one', 60));
    expect(await usage('user', sub)).toBe(60);
    expect((await patch(path, 'x'.repeat(60))).status).toBe(204);
    expect([await usage('user', sub), await counted()]).toEqual([60, 60]);
    expect((await upload('a/more', 41)).status).toBe(400);
    expect((await upload('a/more', 40)).status).toBe(200);
  });

  it('counts parts, copies and uploads of the S3 protocol', async () => {
    const named = { Bucket: 'a', Key: 'parts' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(named));
    const part = (PartNumber: number, bytes: number) =>
      s3.send(new UploadPartCommand({ ...named, UploadId, PartNumber, Body: 'x'.repeat(bytes) }));
    await part(1, 60);
    expect(await refusalOf(part(2, 41))).toBe('413 QuotaExceeded');
    await part(2, 10);
    expect(await usage('user', sub)).toBe(70);
    await s3.send(new CompleteMultipartUploadCommand({ ...named, UploadId }));
    expect([await usage('user', sub), await counted()]).toEqual([70, 70]);
    const copying = new CopyObjectCommand({ Bucket: 'b', Key: 'copy', CopySource: 'a/parts' });
    expect(await refusalOf(s3.send(copying))).toBe('413 QuotaExceeded');
    const putting = new PutObjectCommand({ Bucket: 'b', Key: 'put', Body: 'x'.repeat(31) });
    expect(await refusalOf(s3.send(putting))).toBe('413 QuotaExceeded');
    expect(await counted()).toBe(70);
  });

  it('applies to concurrent uploads together', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(`a/${i}`, 30)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect([await usage('user', sub), await counted()]).toEqual([90, 90]);
  });

  it('lets an object of the full size be overwritten', async () => {
    await upload('a/full', 100);
    expect((await request('PUT /object/a/full', { body: 'y'.repeat(100) })).status).toBe(200);
    expect(await request('PUT /object/a/full', { body: 'y'.repeat(101) })).toMatchObject(EXCEEDED);
    expect((await request('PUT /object/a/full', { body: 'y'.repeat(10) })).status).toBe(200);
    expect([await usage('user', sub), await counted()]).toEqual([10, 10]);
  });

  it('frees space when objects are deleted', async () => {
    await upload('a/one', 60);
    await upload('a/two', 40);
    await request('DELETE /object/a', { body: { prefixes: ['one', 'two'] } });
    expect([await usage('user', sub), await counted()]).toEqual([0, 0]);
    expect((await upload('a/three', 100)).status).toBe(200);
  });

  it('does not apply to service_role, and applies to the caller who moves an object', async () => {
    const options = { token: server.apiKeys.serviceRole };
    expect((await upload('a/service', 120, options)).status).toBe(200);
    const body = { bucketId: 'a', sourceKey: 'service', destinationKey: 'mine' };
    expect(await request('POST /object/move', { body })).toMatchObject(EXCEEDED);
    expect([await usage('user', sub), await counted()]).toEqual([0, 120]);
  });
});

describe('quotas of buckets and in total', () => {
  const asService = () => ({ token: server.apiKeys.serviceRole });

  it('apply to the uploads of all accounts together', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, i) => upload(`a/${i}`, 40, { token: server.apiKeys.anon })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect([await usage('bucket', 'a'), await counted()]).toEqual([120, 120]);
    expect(await upload('a/more', 31, asService())).toMatchObject(EXCEEDED);
    for (const path of ['b/one', 'c/two']) {
      expect((await upload(path, path === 'b/one' ? 150 : 30, asService())).status).toBe(200);
    }
    expect(await upload('c/more', 1, asService())).toMatchObject(EXCEEDED);
  });

  it('apply to objects that are moved into a bucket', async () => {
    await upload('a/big', 80, asService());
    await upload('b/big', 80, asService());
    const body = { bucketId: 'a', sourceKey: 'big', destinationBucket: 'b', destinationKey: 'moved' };
    expect(await request('POST /object/move', { body, ...asService() })).toMatchObject(EXCEEDED);
    const within = { bucketId: 'a', sourceKey: 'big', destinationKey: 'renamed' };
    expect((await request('POST /object/move', { body: within, ...asService() })).status).toBe(200);
    expect([await usage('bucket', 'a'), await usage('bucket', 'b')]).toEqual([80, 80]);
  });
});

describe('unfinished uploads', () => {
  it('are limited per account across protocols', async () => {
    expect((await begin('1', 1)).status).toBe(201);
    await s3.send(new CreateMultipartUploadCommand({ Bucket: 'a', Key: '2' }));
    const third = tusPath(await begin('3', 1));
    expect((await begin('4', 1)).status).toBe(429);
    const fourth = new CreateMultipartUploadCommand({ Bucket: 'a', Key: '4' });
    expect(await refusalOf(s3.send(fourth))).toBe('429 TooManyUploads');
    expect((await patch(third, 'x')).status).toBe(204);
    expect((await begin('4', 1)).status).toBe(201);
    const others = { token: await server.token({ sub: randomUUID() }) };
    expect((await begin('5', 1, others)).status).toBe(201);
  });

  it('are limited when many begin concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => begin(`many-${i}`, 1)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
  });

  it('of anonymous requests are limited per bucket', async () => {
    const anon = { token: server.apiKeys.anon };
    const responses = await Promise.all(Array.from({ length: 6 }, (_, i) => begin(`anon-${i}`, 1, anon)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    expect((await begin('service', 1, { token: server.apiKeys.serviceRole })).status).toBe(201);
  });
});
