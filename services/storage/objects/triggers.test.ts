/** Tests which facts about a request triggers on storage.objects can read. */
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sessionClient } from '../s3/testing/client.ts';
import { type RequestOptions, StorageServer } from '../testing/storage-server.ts';

const ADA = 'a0a0a0a0-0000-4000-8000-000000000001';
/** Rows of permission checks are rolled back; only committed rows are recorded. */
const RECORD = `
  create table public.seen (
    n serial, change text, name text, headers jsonb, claims jsonb, subject text, operation text, role text, method text
  );
  grant all on public.seen, public.seen_n_seq to public;
  create function public.see() returns trigger language plpgsql as $f$
  begin
    insert into public.seen (change, name, headers, claims, subject, operation, role, method) values (
      tg_op, coalesce(new.name, old.name), nullif(current_setting('request.headers', true), '')::jsonb,
      nullif(current_setting('request.jwt.claims', true), '')::jsonb, auth.uid()::text,
      storage.operation(), current_setting('role', true), current_setting('request.method', true)
    );
    return coalesce(new, old);
  end $f$;
  create trigger see before insert or update or delete on storage.objects for each row execute function public.see();
  create policy everything on storage.objects for all to authenticated using (true) with check (true);
  create policy everything on storage.buckets for all to authenticated using (true) with check (true);
`;

let server: StorageServer;
let s3: S3Client;
let token: string;
beforeAll(async () => {
  server = await StorageServer.open();
  await server.run(RECORD);
  token = await server.token({ sub: ADA });
  s3 = sessionClient(server, token);
  await server.request('POST /bucket', { body: { name: 'b', public: true } });
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

const request = (target: string, { headers = {}, ...options }: RequestOptions = {}) =>
  server.request(target, { token, ...options, headers: { 'x-mark': 'marked', ...headers } });
const keys = (sourceKey: string, destinationKey: string) => ({ bucketId: 'b', sourceKey, destinationKey });
const seen = () =>
  server.rows(
    `select change, name, headers ->> 'x-mark' as mark, headers ? 'host' as "hasHeaders", claims ->> 'sub' as sub,
      claims ->> 'role' as "claimedRole", subject, operation, role, method from public.seen order by n`,
  );

beforeEach(async () => {
  await request('PUT /object/b/a.txt', { headers: { 'content-type': 'text/plain' }, body: 'a' });
  await server.run('truncate public.seen');
});

const ADAS = { mark: 'marked', hasHeaders: true, sub: ADA, claimedRole: 'authenticated', subject: ADA };

it.each<[string, () => Promise<{ status: number; text: string }>, object]>([
  [
    'an upload',
    () => request('POST /object/b/new.txt', { body: 'x' }),
    { change: 'INSERT', operation: 'storage.object.upload', role: 'service_role', method: 'POST' },
  ],
  [
    'an upload that overwrites',
    () => request('POST /object/b/a.txt', { headers: { 'x-upsert': 'true' }, body: 'x' }),
    { change: 'UPDATE', operation: 'storage.object.upload', role: 'service_role' },
  ],
  [
    'a copy',
    () => request('POST /object/copy', { body: keys('a.txt', 'copy.txt') }),
    { change: 'INSERT', name: 'copy.txt', operation: 'storage.object.copy', role: 'service_role' },
  ],
  [
    'a copy that changes metadata',
    () =>
      request('POST /object/copy', {
        headers: { 'x-upsert': 'true' },
        body: { ...keys('a.txt', 'a.txt'), copyMetadata: false, metadata: { mimetype: 'text/csv' } },
      }),
    { change: 'UPDATE', operation: 'storage.object.copy', role: 'service_role' },
  ],
  [
    'a move',
    () => request('POST /object/move', { body: keys('a.txt', 'moved.txt') }),
    { change: 'UPDATE', name: 'moved.txt', operation: 'storage.object.move', role: 'service_role' },
  ],
  [
    'a deletion',
    () => request('DELETE /object/b/a.txt'),
    { change: 'DELETE', operation: 'storage.object.delete', role: 'authenticated', method: 'DELETE' },
  ],
  [
    'a deletion of several objects',
    () => request('DELETE /object/b', { body: { prefixes: ['a.txt'] } }),
    { change: 'DELETE', operation: 'storage.object.delete_many', role: 'authenticated' },
  ],
])('%s shows headers, claims and operation to triggers', async (_, work, expected) => {
  const response = await work();
  expect(response.status, response.text).toBe(200);
  expect((await seen()).at(-1)).toMatchObject({ ...ADAS, ...expected });
});

it('emptying a bucket shows its request to triggers', async () => {
  await request('POST /bucket/b/empty', { token: server.apiKeys.serviceRole });
  expect((await seen()).at(-1)).toMatchObject({
    change: 'DELETE',
    mark: 'marked',
    operation: 'storage.bucket.empty',
    role: 'service_role',
    claimedRole: 'service_role',
  });
});

it('an upload by a link shows its request to triggers, and the claims of service_role', async () => {
  const { json } = await request('POST /object/upload/sign/b/linked.txt', { body: {} });
  expect(await seen()).toEqual([]);
  const { url } = json as { url: string };
  expect((await request(`PUT ${url}`, { token: null, body: 'x' })).status).toBe(200);
  expect(await seen()).toEqual([
    {
      change: 'INSERT',
      name: 'linked.txt',
      mark: 'marked',
      hasHeaders: true,
      sub: null,
      claimedRole: 'service_role',
      subject: null,
      operation: 'storage.object.upload_signed',
      role: 'service_role',
      method: 'PUT',
    },
  ]);
});

it('the end of a resumable upload shows its request to triggers', async () => {
  const named = { bucketName: 'b', objectName: 'tus.txt' };
  const metadata = Object.entries(named).map(([name, value]) => `${name} ${btoa(value)}`);
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await request('POST /upload/resumable', {
    headers: { ...tus, 'upload-length': '1', 'upload-metadata': metadata.join(',') },
  });
  const path = new URL(begun.headers.get('location') ?? '').pathname.replace('/storage/v1', '');
  const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await request(`PATCH ${path}`, { headers, body: 'x' })).status).toBe(204);
  expect((await seen()).at(-1)).toMatchObject({
    ...ADAS,
    change: 'INSERT',
    operation: 'storage.tus.upload.part',
    role: 'service_role',
    method: 'PATCH',
  });
});

it('PutObject of the S3 protocol shows its request to triggers', async () => {
  await s3.send(new PutObjectCommand({ Bucket: 'b', Key: 's3.txt', Body: 'x' }));
  const expected = { hasHeaders: true, sub: ADA, subject: ADA, role: 'service_role' };
  expect((await seen()).at(-1)).toMatchObject({ ...expected, operation: 'storage.s3.upload' });
  const named = { Bucket: 'b', Key: 'parts.txt' };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(named));
  await s3.send(new UploadPartCommand({ ...named, UploadId, PartNumber: 1, Body: 'x' }));
  await s3.send(new CompleteMultipartUploadCommand({ ...named, UploadId }));
  expect((await seen()).at(-1)).toMatchObject({
    ...expected,
    operation: 'storage.s3.upload.complete_multipart',
  });
});
