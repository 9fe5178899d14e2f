import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  ListPartsCommand,
  PutObjectCommand,
  paginateListParts,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeAllExpired } from '../../expiry.ts';
import { StorageServer } from '../../testing/storage-server.ts';
import { clientOf, refusalOf } from '../testing/client.ts';
import { sendSigned } from '../testing/signed-request.ts';
import { expiringMultipartUploads } from './expiring.ts';

const Bucket = 'parts';
const LIMIT = 1_000_000;
let server: StorageServer;
let s3: S3Client;

beforeAll(async () => {
  server = await StorageServer.open();
  s3 = clientOf(server);
  await s3.send(new CreateBucketCommand({ Bucket }));
  await server.run(`update storage.buckets set file_size_limit = ${LIMIT} where id = '${Bucket}'`);
});
afterAll(async () => {
  s3.destroy();
  await server.close();
});

async function begin(Key: string, more: Partial<CreateMultipartUploadCommandInput> = {}): Promise<string> {
  const { UploadId = '' } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  return UploadId;
}

async function send(Key: string, UploadId: string, PartNumber: number, Body: Buffer): Promise<CompletedPart> {
  const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { PartNumber, ETag };
}

const complete = (Key: string, UploadId: string, Parts?: CompletedPart[]) =>
  s3.send(
    new CompleteMultipartUploadCommand({
      Bucket,
      Key,
      UploadId,
      ...(Parts && { MultipartUpload: { Parts } }),
    }),
  );
const abort = (Key: string, UploadId: string) =>
  s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
const get = (Key: string) => s3.send(new GetObjectCommand({ Bucket, Key }));
async function contentOf(Key: string): Promise<Buffer> {
  return Buffer.from((await (await get(Key)).Body?.transformToByteArray()) ?? []);
}
const md5 = (data: Buffer) => createHash('md5').update(data).digest();

describe('a multipart upload', () => {
  const Key = 'folder/large';

  it('becomes an object of all its parts in order', async () => {
    const data = [randomBytes(200_000), randomBytes(1), randomBytes(70_000)];
    const [first, second, third] = data as [Buffer, Buffer, Buffer];
    const UploadId = await begin(Key, {
      ContentType: 'image/png',
      CacheControl: 'max-age=9',
      Metadata: { by: 'ann' },
    });
    const last = await send(Key, UploadId, 10, third);
    await send(Key, UploadId, 2, randomBytes(500));
    const parts = [await send(Key, UploadId, 1, first), await send(Key, UploadId, 2, second), last];
    expect(parts[0]?.ETag).toBe(`"${md5(first).toString('hex')}"`);
    const { ETag, Location, Bucket: bucket, Key: key } = await complete(Key, UploadId, parts);
    expect(ETag).toBe(`"${md5(Buffer.concat(data.map(md5))).toString('hex')}-3"`);
    expect({ Location, bucket, key }).toEqual({ Location: `${Bucket}/${Key}`, bucket: Bucket, key: Key });
    expect((await contentOf(Key)).equals(Buffer.concat(data))).toBe(true);
    expect(await get(Key)).toMatchObject({
      ETag,
      ContentType: 'image/png',
      CacheControl: 'max-age=9',
      ContentLength: 270_001,
      Metadata: { by: 'ann' },
    });
    expect(await refusalOf(complete(Key, UploadId, parts))).toBe('404 NoSuchUpload');
  });

  it('overwrites an object and removes its content', async () => {
    const [before] = await server.rows<{ version: string }>(
      `select version from storage.objects where name = $1`,
      [Key],
    );
    const UploadId = await begin(Key);
    await complete(Key, UploadId, [await send(Key, UploadId, 1, Buffer.from('new'))]);
    expect((await contentOf(Key)).toString()).toBe('new');
    const name = { bucket: Bucket, key: Key, version: before?.version ?? '' };
    await expect(server.store.stat(name)).rejects.toMatchObject({ code: 'NoSuchKey' });
  });

  it('is completed only once by concurrent requests', async () => {
    const UploadId = await begin('once');
    const parts = [await send('once', UploadId, 1, Buffer.from('one'))];
    const results = await Promise.all(
      Array.from({ length: 5 }, () => refusalOf(complete('once', UploadId, parts))),
    );
    expect(results.filter((result) => result === 'none')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['none', '404 NoSuchUpload']));
    expect((await contentOf('once')).toString()).toBe('one');
  });

  it('is completed with all parts without a list of parts', async () => {
    const UploadId = await begin('all');
    await send('all', UploadId, 2, Buffer.from('b'));
    await send('all', UploadId, 1, Buffer.from('a'));
    const signed = await sendSigned(server, `POST /${Bucket}/all?uploadId=${UploadId}`);
    expect(signed.status).toBe(200);
    expect((await contentOf('all')).toString()).toBe('ab');
  });

  it('may omit parts', async () => {
    const UploadId = await begin('some');
    await send('some', UploadId, 1, Buffer.from('a'));
    await complete('some', UploadId, [await send('some', UploadId, 2, Buffer.from('b'))]);
    expect((await contentOf('some')).toString()).toBe('b');
  });

  it('is removed with its parts when it is aborted', async () => {
    const UploadId = await begin('aborted');
    const part = await send('aborted', UploadId, 1, Buffer.from('a'));
    expect((await abort('aborted', UploadId)).$metadata.httpStatusCode).toBe(204);
    expect(await refusalOf(abort('aborted', UploadId))).toBe('404 NoSuchUpload');
    expect(await refusalOf(send('aborted', UploadId, 2, Buffer.from('a')))).toBe('404 NoSuchUpload');
    expect(await refusalOf(complete('aborted', UploadId, [part]))).toBe('404 NoSuchUpload');
    expect(await server.rows(`select from storage.s3_multipart_uploads where key = 'aborted'`)).toEqual([]);
  });

  it('prevents the deletion of its bucket', async () => {
    await s3.send(new CreateBucketCommand({ Bucket: 'held' }));
    const where = { Bucket: 'held', Key: 'a' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(where));
    const remove = () => refusalOf(s3.send(new DeleteBucketCommand({ Bucket: 'held' })));
    expect(await remove()).toBe('409 ResourceReferenced');
    await s3.send(new AbortMultipartUploadCommand({ ...where, UploadId }));
    expect(await remove()).toBe('none');
  });
});

describe('an expired upload', () => {
  const rested = () => removeAllExpired(expiringMultipartUploads(server.instance.context));
  /** Moves the start of the upload and its parts into the past. */
  const age = async (UploadId: string, days: { upload: number; parts: number }) => {
    const ago = (table: string, id: string) =>
      server.rows(`update storage.${table} set created_at = now() - $2 * interval '1 day' where ${id} = $1`, [
        UploadId,
        table.endsWith('parts') ? days.parts : days.upload,
      ]);
    await ago('s3_multipart_uploads', 'id');
    await ago('s3_multipart_uploads_parts', 'upload_id');
  };

  it('is removed with its parts', async () => {
    const before = await server.contents();
    const UploadId = await begin('rests');
    const part = await send('rests', UploadId, 1, randomBytes(100_000));
    expect(await server.contents()).toHaveLength(before.length + 1);
    await age(UploadId, { upload: 8, parts: 8 });
    expect(await rested()).toBe(1);
    expect(await server.contents()).toEqual(before);
    expect(await refusalOf(send('rests', UploadId, 2, Buffer.from('a')))).toBe('404 NoSuchUpload');
    expect(await refusalOf(complete('rests', UploadId, [part]))).toBe('404 NoSuchUpload');
    const left = `select from storage.s3_multipart_uploads_parts where upload_id = $1`;
    expect(await server.rows(left, [UploadId])).toEqual([]);
  });

  it('without any part is removed, and no longer blocks its bucket', async () => {
    await s3.send(new CreateBucketCommand({ Bucket: 'rested' }));
    const UploadId = await begin('rests', { Bucket: 'rested' });
    await age(UploadId, { upload: 8, parts: 0 });
    expect(await rested()).toBe(1);
    expect(await refusalOf(s3.send(new DeleteBucketCommand({ Bucket: 'rested' })))).toBe('none');
  });

  it('is removed if it is complete and only its object is missing', async () => {
    const before = await server.contents();
    const UploadId = await begin('whole');
    const { ETag = '' } = await send('whole', UploadId, 1, Buffer.from('a'));
    const [row] = await server.rows<{ version: string }>(
      'select version from storage.s3_multipart_uploads where id = $1',
      [UploadId],
    );
    const name = { bucket: Bucket, key: 'whole', version: row?.version ?? '', uploadId: UploadId };
    await server.store.completeParts(name, [{ partNumber: 1, eTag: ETag }]);
    await age(UploadId, { upload: 8, parts: 8 });
    expect(await rested()).toBe(1);
    expect(await server.contents()).toEqual(before);
  });

  it('is kept while it is new or receives parts', async () => {
    const UploadId = await begin('goes on');
    const parts = [await send('goes on', UploadId, 1, Buffer.from('a'))];
    await age(UploadId, { upload: 30, parts: 6 });
    const young = await begin('young');
    expect(await rested()).toBe(0);
    await complete('goes on', UploadId, parts);
    expect((await contentOf('goes on')).toString()).toBe('a');
    await abort('young', young);
  });

  it('is removed by the running service after the configured time', async () => {
    const settings = { S3_PROTOCOL_UPLOAD_EXPIRY_MS: '1000' };
    await using stack = new AsyncDisposableStack();
    const impatient = await StorageServer.open({ settings });
    stack.defer(() => impatient.close());
    const client = clientOf(impatient);
    stack.defer(() => client.destroy());
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'rests' }));
    await expect
      .poll(() => impatient.rows('select from storage.s3_multipart_uploads'), { timeout: 30_000 })
      .toEqual([]);
    expect(await impatient.contents()).toEqual([]);
  });
});

describe('a part', () => {
  it('may be copied from a range of an object', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: '0123456789' }));
    const UploadId = await begin('copied');
    const copy = async (PartNumber: number, CopySourceRange?: string, CopySource = `${Bucket}/source`) => {
      const where = { Bucket, Key: 'copied', UploadId, PartNumber };
      const command = new UploadPartCopyCommand({ ...where, CopySource, CopySourceRange });
      const { CopyPartResult } = await s3.send(command);
      return { PartNumber, ETag: CopyPartResult?.ETag, at: CopyPartResult?.LastModified };
    };
    const parts = [await copy(1, 'bytes=2-4'), await copy(2), await copy(3, 'bytes=9-9')];
    expect(parts[0]).toMatchObject({
      ETag: `"${md5(Buffer.from('234')).toString('hex')}"`,
      at: expect.any(Date),
    });
    const encoded = encodeURIComponent(`/${Bucket}/source`);
    parts.push(await copy(4, 'bytes=0-1', encoded));
    expect(await refusalOf(copy(5, undefined, `${Bucket}/none`))).toBe('404 NoSuchKey');
    await complete('copied', UploadId, parts);
    expect((await contentOf('copied')).toString()).toBe('2340123456789901');
  });

  it.each([
    ['bytes=5-10'],
    ['bytes=10-10'],
    ['bytes=0-99999999999999999999'],
    ['bytes=4-2'],
    ['bytes=5-'],
    ['bytes=-3'],
    ['bytes=0-1,3-4'],
    ['bytes=a-b'],
    ['1-2'],
    ['bytes'],
  ])('is not copied from the range %s of ten bytes', async (CopySourceRange) => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'ten', Body: '0123456789' }));
    const UploadId = await begin('refused');
    const part = { Bucket, Key: 'refused', UploadId, PartNumber: 1, CopySource: `${Bucket}/ten` };
    const copy = s3.send(new UploadPartCopyCommand({ ...part, CopySourceRange }));
    expect(await refusalOf(copy)).toBe('400 InvalidArgument');
    const { Parts } = await s3.send(new ListPartsCommand({ Bucket, Key: 'refused', UploadId }));
    expect(Parts).toBeUndefined();
    await abort('refused', UploadId);
  });

  it('is not copied from a range of an empty object', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'empty source', Body: '' }));
    const UploadId = await begin('refused');
    const part = { Bucket, Key: 'refused', UploadId, PartNumber: 1, CopySource: `${Bucket}/empty source` };
    const copy = s3.send(new UploadPartCopyCommand({ ...part, CopySourceRange: 'bytes=0-0' }));
    expect(await refusalOf(copy)).toBe('400 InvalidArgument');
    await abort('refused', UploadId);
  });

  it('is copied from an object whose row has no size', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'sizeless', Body: '0123456789' }));
    await server.run(`update storage.objects set metadata = null where name = 'sizeless'`);
    const UploadId = await begin('of sizeless');
    const part = { Bucket, Key: 'of sizeless', UploadId, PartNumber: 1, CopySource: `${Bucket}/sizeless` };
    const copy = new UploadPartCopyCommand({ ...part, CopySourceRange: 'bytes=2-4' });
    const { CopyPartResult } = await s3.send(copy);
    await complete('of sizeless', UploadId, [{ PartNumber: 1, ETag: CopyPartResult?.ETag }]);
    expect((await contentOf('of sizeless')).toString()).toBe('234');
  });

  it.each([
    ['with number 0', 0, '400 InvalidRequest'],
    ['with number 10001', 10_001, '400 InvalidRequest'],
  ])('rejects %s', async (_name, number, refusal) => {
    const UploadId = await begin('numbers');
    expect(await refusalOf(send('numbers', UploadId, number, Buffer.from('a')))).toBe(refusal);
  });

  it('is rejected for another key, bucket or upload', async () => {
    const UploadId = await begin('mine');
    const data = Buffer.from('a');
    expect(await refusalOf(send('other', UploadId, 1, data))).toBe('404 NoSuchUpload');
    expect(await refusalOf(send('mine', 'no-id', 1, data))).toBe('404 NoSuchUpload');
    const elsewhere = { Bucket: 'none', Key: 'mine', UploadId, PartNumber: 1, Body: data };
    expect(await refusalOf(s3.send(new UploadPartCommand(elsewhere)))).toBe('404 NoSuchUpload');
  });

  it('must not exceed the limit together with the other parts', async () => {
    const UploadId = await begin('full');
    const half = Buffer.alloc(LIMIT / 2);
    const parts = [await send('full', UploadId, 1, half), await send('full', UploadId, 2, half)];
    expect(await refusalOf(send('full', UploadId, 3, Buffer.from('a')))).toBe('413 EntityTooLarge');
    // A part that replaces another one may use its space.
    parts[1] = await send('full', UploadId, 2, half);
    await server.run(`update storage.buckets set file_size_limit = ${LIMIT - 1} where id = '${Bucket}'`);
    expect(await refusalOf(complete('full', UploadId, parts))).toBe('413 EntityTooLarge');
    await server.run(`update storage.buckets set file_size_limit = ${LIMIT} where id = '${Bucket}'`);
    await complete('full', UploadId, parts);
  });

  it('with a wrong checksum is rejected, and the previous one is kept', async () => {
    const UploadId = await begin('checked');
    const part = await send('checked', UploadId, 1, Buffer.from('right'));
    const wrong = {
      Bucket,
      Key: 'checked',
      UploadId,
      PartNumber: 1,
      Body: 'wrong',
      ChecksumCRC32: 'AAAAAA==',
    };
    expect(await refusalOf(s3.send(new UploadPartCommand(wrong)))).toBe('400 InvalidChecksum');
    await complete('checked', UploadId, [part]);
    expect((await contentOf('checked')).toString()).toBe('right');
  });
});

describe('completion', () => {
  it.each<[string, CompletedPart[], string]>([
    ['a missing part', [{ PartNumber: 3, ETag: 'a' }], '400 MissingPart'],
    ['another tag', [{ PartNumber: 1, ETag: '"0cc175b9c0f1b6a831c399e269772662"' }], '400 InvalidPart'],
    ['a missing tag', [{ PartNumber: 1 }], '400 MalformedXML'],
    [
      'another order',
      [
        { PartNumber: 2, ETag: 'a' },
        { PartNumber: 1, ETag: 'a' },
      ],
      '400 InvalidPartOrder',
    ],
  ])('is rejected with %s', async (_name, parts, refusal) => {
    const UploadId = await begin('refused');
    await send('refused', UploadId, 1, Buffer.from('a'));
    expect(await refusalOf(complete('refused', UploadId, parts))).toBe(refusal);
  });

  it('is rejected without any part', async () => {
    const UploadId = await begin('empty');
    expect((await sendSigned(server, `POST /${Bucket}/empty?uploadId=${UploadId}`)).text).toContain(
      '<Code>MissingPart</Code>',
    );
  });

  it.each(['<Delete/>', '<CompleteMultipartUpload>', 'text'])(
    'is rejected with the body %s',
    async (body) => {
      const UploadId = await begin('malformed');
      const response = await sendSigned(server, `POST /${Bucket}/malformed?uploadId=${UploadId}`, { body });
      expect(response.status).toBe(400);
      expect(response.text).toContain('<Code>MalformedXML</Code>');
    },
  );
});

describe('a new upload', () => {
  it('is rejected for a missing bucket, a type that the bucket rejects, and an invalid key', async () => {
    await server.run(
      `insert into storage.buckets (id, name, allowed_mime_types) values ('images', 'images', '{image/*}')`,
    );
    expect(await refusalOf(begin('a', { Bucket: 'none' }))).toBe('404 NoSuchBucket');
    expect(await refusalOf(begin('a', { Bucket: 'images', ContentType: 'text/plain' }))).toBe(
      '415 InvalidMimeType',
    );
    expect(await refusalOf(begin('ä'))).toBe('400 InvalidKey');
  });
});

describe('lists', () => {
  it('of parts are paginated', async () => {
    const Key = 'listed';
    const UploadId = await begin(Key);
    for (const number of [1, 2, 3, 5, 8]) await send(Key, UploadId, number, Buffer.alloc(number));
    const numbers: (number | undefined)[][] = [];
    for await (const page of paginateListParts({ client: s3, pageSize: 2 }, { Bucket, Key, UploadId })) {
      numbers.push((page.Parts ?? []).map(({ PartNumber }) => PartNumber));
      expect(page).toMatchObject({ Bucket, Key, UploadId, MaxParts: 2 });
    }
    expect(numbers).toEqual([[1, 2], [3, 5], [8]]);
    const { Parts } = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: '5' }));
    expect(Parts).toEqual([
      { PartNumber: 8, Size: 8, ETag: expect.stringMatching(/^"\w{32}"$/), LastModified: expect.any(Date) },
    ]);
    const requestList = (more: object) =>
      refusalOf(s3.send(new ListPartsCommand({ Bucket, Key, UploadId, ...more })));
    expect(await requestList({ MaxParts: 0 })).toBe('400 InvalidRequest');
    expect(await requestList({ UploadId: 'none' })).toBe('404 NoSuchUpload');
  });

  describe('of uploads', () => {
    const L = 'uploads';
    const KEYS = ['a', 'a/1', 'a/2', 'b', 'b', 'c/d/1'];
    const list = async (more: Partial<ListMultipartUploadsCommandInput> = {}) => {
      const found = await s3.send(new ListMultipartUploadsCommand({ Bucket: L, ...more }));
      return {
        ...found,
        keys: (found.Uploads ?? []).map(({ Key }) => Key),
        folders: (found.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
      };
    };
    beforeAll(async () => {
      await s3.send(new CreateBucketCommand({ Bucket: L }));
      for (const Key of KEYS) await s3.send(new CreateMultipartUploadCommand({ Bucket: L, Key }));
    });

    it.each<[Partial<ListMultipartUploadsCommandInput>, string[], string[]]>([
      [{}, KEYS, []],
      [{ Delimiter: '/' }, ['a', 'b', 'b'], ['a/', 'c/']],
      [{ Prefix: 'a/' }, ['a/1', 'a/2'], []],
      [{ Prefix: 'c/', Delimiter: '/' }, [], ['c/d/']],
      [{ KeyMarker: 'a/2' }, ['b', 'b', 'c/d/1'], []],
      [{ KeyMarker: 'a/', Delimiter: '/' }, ['b', 'b'], ['c/']],
      [{ EncodingType: 'url', Prefix: 'c' }, ['c/d/1'], []],
    ])('contain for %j the keys %j', async (query, keys, folders) => {
      expect(await list(query)).toMatchObject({ keys, folders, IsTruncated: false, MaxUploads: 1000 });
    });

    it.each([undefined, '/'])('are paginated, with delimiter %s', async (Delimiter) => {
      const whole = await list({ Delimiter });
      for (const MaxUploads of [1, 2, 3]) {
        const ids: (string | undefined)[] = [];
        const folders: (string | undefined)[] = [];
        let markers: Partial<ListMultipartUploadsCommandInput> = {};
        for (;;) {
          const page = await list({ Delimiter, MaxUploads, ...markers });
          ids.push(...(page.Uploads ?? []).map(({ UploadId }) => UploadId));
          folders.push(...page.folders);
          if (!page.IsTruncated) break;
          markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
        }
        expect(ids).toEqual((whole.Uploads ?? []).map(({ UploadId }) => UploadId));
        expect(folders).toEqual(whole.folders);
      }
    });

    it.each([0, 1001])('reject a limit of %i', async (MaxUploads) => {
      expect(await refusalOf(list({ MaxUploads }))).toBe('400 InvalidRequest');
    });
  });
});
