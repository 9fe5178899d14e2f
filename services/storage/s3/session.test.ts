import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';
import { clientOf, refusalOf, sessionClient } from './testing/client.ts';

const ANN = '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f';
const Bucket = 'theirs';
const Key = 'ann/a.txt';
const OTHER = 'bob/b.txt';
let server: StorageServer;
let owner: S3Client;
let ann: S3Client;

beforeAll(async () => {
  server = await StorageServer.open();
  owner = clientOf(server);
  ann = sessionClient(server, await server.token({ sub: ANN }));
  await owner.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  owner.destroy();
  ann.destroy();
  await server.close();
});
beforeEach(async () => {
  for (const name of [Key, OTHER]) await owner.send(new PutObjectCommand({ Bucket, Key: name, Body: name }));
});

/** Runs `work` with only these policies; `mine` are the objects that ann may access. */
async function withPolicies(commands: readonly string[], work: () => Promise<void>): Promise<void> {
  const mine = `bucket_id = '${Bucket}' and (storage.foldername(name))[1] = 'ann'`;
  const clause = (command: string) => (command === 'insert' ? `with check (${mine})` : `using (${mine})`);
  for (const command of commands) {
    await server.run(
      `create policy test_${command} on storage.objects for ${command} to authenticated ${clause(command)}`,
    );
  }
  try {
    await work();
  } finally {
    for (const command of commands) await server.run(`drop policy test_${command} on storage.objects`);
  }
}

const DENIED = '403 AccessDenied';
const where = { Bucket, Key };

/** Operations on an object: required policies, and the error without one of them. */
const NEEDS: [string, readonly string[], string, () => Promise<unknown>][] = [
  ['GetObject', ['select'], '404 NoSuchKey', () => ann.send(new GetObjectCommand(where))],
  ['HeadObject', ['select'], '404 NotFound', () => ann.send(new HeadObjectCommand(where))],
  ['GetObjectTagging', ['select'], '404 NoSuchKey', () => ann.send(new GetObjectTaggingCommand(where))],
  ['PutObject of a new key', ['insert', 'select'], DENIED, () => put('ann/new.txt')],
  ['PutObject of an existing key', ['insert', 'select', 'update'], DENIED, () => put(Key)],
  ['DeleteObject', ['delete', 'select'], DENIED, () => ann.send(new DeleteObjectCommand(where))],
  ['CopyObject', ['insert', 'select'], '', () => copy('ann/copy.txt')],
  [
    'CreateMultipartUpload',
    ['insert', 'select', 'update'],
    DENIED,
    () => ann.send(new CreateMultipartUploadCommand(where)),
  ],
];

async function put(name: string) {
  try {
    return await ann.send(new PutObjectCommand({ Bucket, Key: name, Body: 'ann' }));
  } finally {
    if (name !== Key) await owner.send(new DeleteObjectCommand({ Bucket, Key: name }));
  }
}

async function copy(name: string) {
  try {
    return await ann.send(new CopyObjectCommand({ Bucket, Key: name, CopySource: `${Bucket}/${Key}` }));
  } finally {
    await owner.send(new DeleteObjectCommand({ Bucket, Key: name }));
  }
}

describe.each(NEEDS)('%s', (name, needed, refusal, work) => {
  it('requires each of its policies', async () => {
    for (const missing of needed) {
      await withPolicies(
        needed.filter((one) => one !== missing),
        async () => {
          const expected =
            name === 'CopyObject' && missing === 'select' ? '404 NoSuchKey' : refusal || DENIED;
          expect(await refusalOf(work())).toBe(expected);
        },
      );
    }
    await withPolicies(needed, async () => expect(await refusalOf(work())).toBe('none'));
  });
});

describe('a signed-in user', () => {
  const ALL = ['select', 'insert', 'update', 'delete'];

  it('lists only objects that policies show', async () => {
    const list = async () =>
      (await ann.send(new ListObjectsV2Command({ Bucket }))).Contents?.map((one) => one.Key) ?? [];
    expect(await list()).toEqual([]);
    await withPolicies(['select'], async () => expect(await list()).toEqual([Key]));
  });

  it('deletes only objects that policies permit, and gets errors for the others', async () => {
    await withPolicies(ALL, async () => {
      const Objects = [{ Key }, { Key: OTHER }, { Key: 'nothing' }];
      const { Deleted, Errors } = await ann.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
      expect(Deleted?.map((one) => one.Key)).toEqual([Key, 'nothing']);
      expect(Errors).toEqual([{ Key: OTHER, Code: 'AccessDenied', Message: 'Access Denied' }]);
      expect(await refusalOf(ann.send(new DeleteObjectCommand({ Bucket, Key: OTHER })))).toBe(DENIED);
    });
  });

  it('owns the objects that they write', async () => {
    await withPolicies(ALL, async () => {
      await ann.send(new PutObjectCommand({ ...where, Body: 'mine' }));
      const rows = await server.rows('select owner, owner_id from storage.objects where name = $1', [Key]);
      expect(rows).toEqual([{ owner: ANN, owner_id: ANN }]);
      expect(await refusalOf(ann.send(new PutObjectCommand({ Bucket, Key: OTHER, Body: 'x' })))).toBe(DENIED);
    });
  });

  it('needs permission for each step of a multipart upload', async () => {
    await withPolicies(ALL, async () => {
      const { UploadId } = await ann.send(new CreateMultipartUploadCommand(where));
      const { UploadId: theirs } = await owner.send(new CreateMultipartUploadCommand({ Bucket, Key: OTHER }));
      const part = { ...where, UploadId, PartNumber: 1, Body: 'part' };
      const { ETag } = await ann.send(new UploadPartCommand(part));
      // An upload of another user is not accessible through the user's own key.
      const stolen = { ...where, UploadId: theirs };
      expect(await refusalOf(ann.send(new UploadPartCommand({ ...part, ...stolen })))).toBe(
        '404 NoSuchUpload',
      );
      expect(await refusalOf(ann.send(new AbortMultipartUploadCommand(stolen)))).toBe('404 NoSuchUpload');
      const other = { Bucket, Key: OTHER, UploadId: theirs };
      expect(await refusalOf(ann.send(new UploadPartCommand({ ...part, ...other })))).toBe(DENIED);
      expect(await refusalOf(ann.send(new CompleteMultipartUploadCommand(other)))).toBe(DENIED);
      expect(await refusalOf(ann.send(new AbortMultipartUploadCommand(other)))).toBe(DENIED);
      const source = { CopySource: `${Bucket}/${OTHER}` };
      expect(await refusalOf(ann.send(new UploadPartCopyCommand({ ...part, ...source })))).toBe(
        '404 NoSuchKey',
      );
      const Parts = [{ PartNumber: 1, ETag }];
      await ann.send(new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload: { Parts } }));
      const got = await ann.send(new GetObjectCommand(where));
      expect(await got.Body?.transformToString()).toBe('part');
      await owner.send(new AbortMultipartUploadCommand(other));
    });
  });

  it('cannot continue a multipart upload of another account, even if policies permit writing', async () => {
    await withPolicies(ALL, async () => {
      const { UploadId } = await owner.send(new CreateMultipartUploadCommand(where));
      const named = { ...where, UploadId };
      await owner.send(new UploadPartCommand({ ...named, PartNumber: 1, Body: 'x' }));
      const part = { ...named, PartNumber: 2, Body: 'y' };
      expect(await refusalOf(ann.send(new UploadPartCommand(part)))).toBe(DENIED);
      const copied = { ...named, PartNumber: 2, CopySource: `${Bucket}/${Key}` };
      await owner.send(new PutObjectCommand({ ...where, Body: 'source' }));
      expect(await refusalOf(ann.send(new UploadPartCopyCommand(copied)))).toBe(DENIED);
      expect(await refusalOf(ann.send(new CompleteMultipartUploadCommand(named)))).toBe(DENIED);
      expect(await refusalOf(ann.send(new AbortMultipartUploadCommand(named)))).toBe(DENIED);
      expect(await refusalOf(ann.send(new ListPartsCommand(named)))).toBe('404 NoSuchUpload');
      expect((await owner.send(new ListPartsCommand(named))).Parts).toHaveLength(1);
      await owner.send(new AbortMultipartUploadCommand(named));
    });
  });

  it('lists uploads and parts only with policies on their tables', async () => {
    const seen = { Bucket, Key: 'ann/seen' };
    const { UploadId } = await owner.send(new CreateMultipartUploadCommand(seen));
    await owner.send(new UploadPartCommand({ ...seen, UploadId, PartNumber: 1, Body: 'x' }));
    const listParts = () => ann.send(new ListPartsCommand({ ...seen, UploadId }));
    const countUploads = async () =>
      (await ann.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0;
    expect(await countUploads()).toBe(0);
    expect(await refusalOf(listParts())).toBe('404 NoSuchUpload');
    for (const table of ['s3_multipart_uploads', 's3_multipart_uploads_parts']) {
      await server.run(
        `create policy seen on storage.${table} for select to authenticated using (key = 'ann/seen')`,
      );
    }
    expect(await countUploads()).toBe(1);
    expect((await listParts()).Parts).toHaveLength(1);
    await owner.send(new AbortMultipartUploadCommand({ ...seen, UploadId }));
  });

  it('needs policies for buckets', async () => {
    expect(await refusalOf(ann.send(new CreateBucketCommand({ Bucket: 'mine' })))).toBe(DENIED);
    expect((await ann.send(new ListBucketsCommand())).Buckets ?? []).toEqual([]);
    expect(await refusalOf(ann.send(new HeadBucketCommand({ Bucket })))).toBe('404 NotFound');
    await server.run(
      `create policy own on storage.buckets for all to authenticated using (owner_id = '${ANN}')`,
    );
    await ann.send(new CreateBucketCommand({ Bucket: 'mine' }));
    expect((await ann.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).toEqual(['mine']);
    await ann.send(new DeleteBucketCommand({ Bucket: 'mine' }));
  });

  it('can be limited to an operation by policies', async () => {
    await server.run(`create policy operation on storage.objects for select to authenticated
      using (storage.allow_only_operation('s3.object.get'))`);
    expect(await refusalOf(ann.send(new GetObjectCommand(where)))).toBe('none');
    expect(await refusalOf(ann.send(new HeadObjectCommand(where)))).toBe('404 NotFound');
    await server.run('drop policy operation on storage.objects');
  });

  it('needs a valid token whose role does not own the tables', async () => {
    const request = async (claims: Record<string, unknown>) => {
      const client = sessionClient(server, await server.token(claims));
      const refusal = await refusalOf(client.send(new ListBucketsCommand()));
      client.destroy();
      return refusal;
    };
    expect(await request({ role: 'authenticated' })).toBe('none');
    expect(await request({ exp: 1 })).toBe(DENIED);
    expect(await request({ role: 'supabase_storage_admin' })).toBe(DENIED);
    expect(await request({ role: '' })).toBe(DENIED);
    const forged = sessionClient(server, `${await server.token()}x`);
    expect(await refusalOf(forged.send(new ListBucketsCommand()))).toBe(DENIED);
    forged.destroy();
  });
});
