/** Tests which content a running instance reports to its copies, and when it removes content that is to be copied. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from './s3/testing/client.ts';
import { RecordedCopies } from './testing/recorded-copies.ts';
import { type RequestOptions, StorageServer } from './testing/storage-server.ts';

/** Rows whose key contains `refused` are rolled back when they are committed; permission checks succeed. */
const REFUSE = `
  insert into storage.buckets (id, name) values ('b', 'b'), ('c', 'c');
  create policy mine on storage.objects for all to authenticated
    using (name like 'mine/%') with check (name like 'mine/%');
  create function public.refuse() returns trigger language plpgsql as $f$
  begin
    raise exception 'refused' using errcode = '42501';
  end $f$;
  create constraint trigger refuse after insert or update on storage.objects deferrable initially deferred
    for each row when (new.name like '%refused%') execute function public.refuse();
`;

let copies: RecordedCopies;
let server: StorageServer;
let s3: S3Client;
beforeAll(async () => {
  copies = new RecordedCopies();
  server = await StorageServer.open({ sql: REFUSE, contentCopies: copies });
  s3 = clientOf(server);
});
beforeEach(async () => {
  for (const bucket of ['b', 'c']) await request(`POST /bucket/${bucket}/empty`);
  await copies.settle();
  expect(await server.contents()).toEqual([]);
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

const request = (target: string, options?: RequestOptions) => server.request(target, options);

/** Returns the status. */
async function put(key: string, body: string, options: RequestOptions = {}): Promise<number> {
  const headers = { 'content-type': 'text/plain', 'x-upsert': 'true' };
  return (await request(`POST /object/b/${key}`, { headers, body, ...options })).status;
}

async function versionOf(key: string): Promise<string> {
  const [row] = await server.rows<{ version: string }>(
    'select version from storage.objects where name = $1',
    [key],
  );
  return row?.version ?? '';
}

async function uploadParts(Key: string): Promise<string> {
  const { UploadId = '' } = await s3.send(new CreateMultipartUploadCommand({ Bucket: 'b', Key }));
  await s3.send(
    new UploadPartCommand({ Bucket: 'b', Key, UploadId, PartNumber: 1, Body: Buffer.from('part') }),
  );
  return UploadId;
}

const complete = (Key: string, UploadId: string) =>
  s3.send(new CompleteMultipartUploadCommand({ Bucket: 'b', Key, UploadId }));

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** Sends an upload as a whole. Returns the path of the upload and the status. */
async function uploadResumable(key: string): Promise<{ path: string; status: number }> {
  const protocol = { 'tus-resumable': '1.0.0', 'x-upsert': 'true' };
  const created = await request('POST /upload/resumable', {
    headers: {
      ...protocol,
      'upload-length': '4',
      'upload-metadata': `bucketName ${encoded('b')},objectName ${encoded(key)}`,
    },
  });
  const path = (created.headers.get('location') ?? '').split('/storage/v1')[1] ?? '';
  const { status } = await request(`PATCH ${path}`, {
    headers: { ...protocol, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: Buffer.from('tus!'),
  });
  return { path, status };
}

describe('an overwritten object', () => {
  it.each([
    ['an upload', async () => void (await put('mine/a', 'new'))],
    [
      'an upload that policies apply to',
      async () => void (await put('mine/a', 'new', { token: await server.token({ sub: 'ada' }) })),
    ],
    [
      'a copy',
      async () => {
        await put('source', 'new');
        const body = { bucketId: 'b', sourceKey: 'source', destinationKey: 'mine/a' };
        const headers = { 'x-upsert': 'true' };
        expect((await request('POST /object/copy', { body, headers })).status).toBe(200);
      },
    ],
    ['a multipart upload', async () => void (await complete('mine/a', await uploadParts('mine/a')))],
    ['a resumable upload', async () => void (await uploadResumable('mine/a'))],
  ])('by %s keeps its old content until that is settled', async (_name, overwrite) => {
    await put('mine/a', 'old');
    const replaced = await versionOf('mine/a');
    await overwrite();
    const current = await versionOf('mine/a');
    expect(current).not.toBe(replaced);
    expect(copies.waiting.get(current)).toBe('mine/a');
    expect(await server.contents()).toEqual(expect.arrayContaining([replaced, current]));
    await copies.settle();
    expect(await server.contents()).toContain(current);
    expect(await server.contents()).not.toContain(replaced);
  });

  it('loses its old content at once if that is settled already', async () => {
    await put('a', 'old');
    await copies.settle();
    await put('a', 'new');
    expect(await server.contents()).toEqual([await versionOf('a')]);
  });
});

describe('a deleted object', () => {
  it.each([
    ['alone', 'DELETE /object/b/a', undefined],
    ['with others', 'DELETE /object/b', { prefixes: ['a', 'other'] }],
    ['with its bucket emptied', 'POST /bucket/b/empty', undefined],
  ])('keeps its content until that is settled, if it is deleted %s', async (_name, target, body) => {
    await put('other', 'settled');
    await copies.settle();
    await put('a', 'deleted');
    const version = await versionOf('a');
    expect((await request(target, { body })).status).toBe(200);
    expect(await versionOf('a')).toBe('');
    // Content that does not wait is removed at once.
    const remaining = (await server.contents()).filter((content) => content !== version);
    expect(remaining).toEqual([await versionOf('other')].filter((found) => found !== ''));
    expect(await server.contents()).toContain(version);
    await copies.settle();
    expect(await server.contents()).not.toContain(version);
  });
});

describe('a moved object', () => {
  const move = { bucketId: 'b', sourceKey: 'a' };

  it('has new content, and keeps that of its old name until it is settled', async () => {
    await put('a', 'moved');
    const before = await versionOf('a');
    const body = { ...move, destinationBucket: 'c', destinationKey: 'moved' };
    expect((await request('POST /object/move', { body })).status).toBe(200);
    const after = await versionOf('moved');
    expect(copies.events).toEqual(['written a', 'written moved']);
    expect(await server.contents()).toEqual([before, after].toSorted());
    await copies.settle();
    expect(await server.contents()).toEqual([after]);
  });

  it('discards its new content if its row is refused', async () => {
    await put('a', 'moved');
    expect(
      (await request('POST /object/move', { body: { ...move, destinationKey: 'refused' } })).status,
    ).toBe(400);
    expect(copies.events).toEqual(['written a', 'written refused', 'discarded refused']);
    expect(await server.contents()).toEqual([await versionOf('a')]);
  });
});

describe('a refused upload', () => {
  it('reports and leaves nothing if policies refuse it', async () => {
    expect(await put('theirs', 'no', { token: await server.token({ sub: 'ada' }) })).toBe(400);
    expect(copies.events).toEqual([]);
    expect(await server.contents()).toEqual([]);
  });

  it('discards its content if its row is refused', async () => {
    expect(await put('refused', 'no')).toBe(400);
    expect(copies.events).toEqual(['written refused', 'discarded refused']);
    expect(await server.contents()).toEqual([]);
  });

  it('in parts keeps its content for a retry, and discards it when it is aborted', async () => {
    const UploadId = await uploadParts('refused');
    await expect(complete('refused', UploadId)).rejects.toThrow();
    expect(copies.events).toEqual(['written refused']);
    expect(await server.contents()).toHaveLength(1);
    await s3.send(new AbortMultipartUploadCommand({ Bucket: 'b', Key: 'refused', UploadId }));
    expect(copies.events).toEqual(['written refused', 'discarded refused']);
    expect(await server.contents()).toEqual([]);
  });

  it('that is resumable keeps its content for a retry, and discards it when it is terminated', async () => {
    const { path, status } = await uploadResumable('refused');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(copies.events).toEqual(['written refused']);
    expect(await server.contents()).toHaveLength(1);
    const terminated = await request(`DELETE ${path}`, { headers: { 'tus-resumable': '1.0.0' } });
    expect(terminated.status).toBe(204);
    expect(copies.events).toEqual(['written refused', 'discarded refused']);
    expect(await server.contents()).toEqual([]);
  });
});
