import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageServer } from '../../testing/storage-server.ts';
import { openDiskStore } from '../disk.ts';
import { ANY_WRITE, newBytes, newName, streamOf } from '../testing/content.ts';
import { autoReserve, DiskSpace, type DiskStats } from './space.ts';

const GB = 1e9;
const INSUFFICIENT = { code: 'InsufficientStorage', status: 507 };
const disk =
  (free: number): DiskStats =>
  async () => ({ bsize: 1, blocks: 1000, bavail: free });

describe('autoReserve', () => {
  it.each([
    [2 * GB, 0.2 * GB],
    [10 * GB, GB],
    [20 * GB, GB],
    [100 * GB, 5 * GB],
    [1000 * GB, 16 * GB],
  ])('returns for a disk of %i bytes the reserve %i', (bytes, reserve) => {
    expect(autoReserve(bytes)).toBeCloseTo(reserve);
  });
});

describe('DiskSpace', () => {
  it('rejects a write that would leave less than the reserve', async () => {
    const space = new DiskSpace('/', 100, disk(150));
    await expect(space.claim(51)).rejects.toMatchObject(INSUFFICIENT);
    (await space.claim(50)).release();
  });

  it('rejects any write when less than the reserve is free', async () => {
    await expect(new DiskSpace('/', 100, disk(99)).claim(0)).rejects.toMatchObject(INSUFFICIENT);
  });

  it('keeps announced bytes free of other writes', async () => {
    const space = new DiskSpace('/', 100, disk(150));
    const first = await space.claim(30);
    await expect(space.claim(30)).rejects.toMatchObject(INSUFFICIENT);
    first.use(30);
    await expect(space.claim(30)).rejects.toMatchObject(INSUFFICIENT);
    await space.claim(20);
  });

  it('frees bytes that were announced but not written', async () => {
    const space = new DiskSpace('/', 100, disk(150));
    (await space.claim(50)).release();
    await space.claim(50);
  });

  it('rejects unannounced bytes while they arrive', async () => {
    const claim = await new DiskSpace('/', 100, disk(150)).claim();
    claim.use(50);
    expect(() => claim.use(1)).toThrow(expect.objectContaining(INSUFFICIENT));
  });

  it('accepts any write without a reserve', async () => {
    (await new DiskSpace('/nowhere', 0).claim(Number.MAX_SAFE_INTEGER)).use(Number.MAX_SAFE_INTEGER);
  });
});

describe('a store on a disk that is nearly full', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-space-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = (free: number) => openDiskStore(folder, { reserve: 100, stats: disk(free) });

  it('accepts writes that leave the reserve free and rejects others completely', async () => {
    await using closing = new AsyncDisposableStack();
    const store = await open(1100);
    closing.defer(() => store.close());
    await store.write(newName(), streamOf(newBytes(600)), ANY_WRITE);
    const writing = store.write(newName(), streamOf(newBytes(600)), ANY_WRITE);
    await expect(writing).rejects.toMatchObject(INSUFFICIENT);
    const announced = store.write(newName(), new PassThrough(), { ...ANY_WRITE, bytes: 600 });
    await expect(announced).rejects.toMatchObject(INSUFFICIENT);
    expect((await readdir(join(folder, 'incoming'))).filter((name) => name !== 'parts')).toEqual([]);
  });

  it('rejects parts, joined parts and growing content', async () => {
    await using closing = new AsyncDisposableStack();
    const store = await open(1100);
    closing.defer(() => store.close());
    const upload = { ...newName(), uploadId: await store.beginParts(newName(), ANY_WRITE) };
    const write = (partNumber: number, bytes: number) =>
      store.writePart({ ...upload, partNumber }, streamOf(newBytes(bytes)), { maxBytes: bytes });
    const parts = [await write(1, 300), await write(2, 300)];
    await expect(write(3, 500)).rejects.toMatchObject(INSUFFICIENT);
    const named = parts.map(({ eTag }, index) => ({ partNumber: index + 1, eTag }));
    await expect(store.completeParts(upload, named)).rejects.toMatchObject(INSUFFICIENT);
    await expect(store.growing?.append(newName(), 0, newBytes(500))).rejects.toMatchObject(INSUFFICIENT);
  });

  it('rejects every kind of upload with 507', async () => {
    await using closing = new AsyncDisposableStack();
    const store = await open(99);
    closing.defer(() => store.close());
    const server = await StorageServer.open({ store });
    closing.defer(() => server.close());
    await server.request('POST /bucket', { body: { name: 'b' } });
    expect(await server.request('POST /object/b/a', { body: 'x' })).toMatchObject({
      status: 507,
      json: { statusCode: '507', code: 'InsufficientStorage' },
    });
    const metadata = `bucketName ${btoa('b')},objectName ${btoa('t')}`;
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata };
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream' };
    expect((await server.request('POST /upload/resumable', { headers, body: 'x' })).status).toBe(507);
    expect(await server.rows('select from storage.objects')).toEqual([]);
  });
});
