import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, parseS3Url } from './open-store.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

describe('a place', () => {
  it.each([
    ['a path', () => join(folder, 'new'), 'folder', () => `folder ${join(folder, 'new')}`],
    [
      'a URL of a path',
      () => pathToFileURL(join(folder, 'new')).href,
      'folder',
      () => `folder ${join(folder, 'new')}`,
    ],
    [
      'a path that ends with .tar',
      () => join(folder, 'new.tar'),
      'file',
      () => `file ${join(folder, 'new.tar')}`,
    ],
    ['an existing folder', () => folder, 'folder', () => `folder ${folder}`],
    ['an existing file', () => join(folder, 'file'), 'file', () => `file ${join(folder, 'file')}`],
    ['a relative path', () => 'new', 'folder', () => `folder ${join(process.cwd(), 'new')}`],
    ['a bucket', () => 's3://backups/a/b?region=eu-west-1', 's3', () => 'bucket backups (a/b/) of AWS'],
  ])('is %s', async (_name, where, kind, location) => {
    const store = await openStore(where());
    expect([store.kind, store.location]).toEqual([kind, location()]);
    await store.close();
  });

  it.each([
    ['', 'the place is empty'],
    ['ftp://host/path', 'ftp:// is not supported'],
    ['https://bucket.s3.amazonaws.com', 'https:// is not supported'],
    ['file://host/path', 'is not a URL of a local path'],
    ['s3://', 'not the name of a bucket'],
    ['s3://b', '"b" is not the name of a bucket'],
    ['s3://key:secret@bucket', 'GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY'],
    ['s3://bucket/../x/%20', 'is not a prefix'],
    ['s3://bucket/a?endpoint=host', 'endpoint= must be a URL'],
    ['s3://bucket/a?endpoint=https://user:pass@host', 'endpoint= must be a URL'],
    ['s3://bucket/a?zone=1', 'unknown part "zone"; allowed are endpoint, region, path-style'],
    ['s3://bucket/a?path-style=1', 'path-style= must be true or false'],
  ])('is not "%s"', async (where, message) => {
    const opened = openStore(where);
    await expect(opened).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(message),
    });
    await expect(opened).rejects.toThrow('s3://bucket/prefix?endpoint=https://host&region=name');
    await expect(opened).rejects.not.toThrow(/secret@|pass@/);
  });
});

describe('the URL of a bucket', () => {
  const KEYS = { accessKeyId: 'a', secretAccessKey: 'b' };

  it('names bucket, prefix, endpoint and region', () => {
    const url = 's3://Backups_1/prod/eu/?endpoint=https://s3.example.com:9000/&region=auto';
    expect(parseS3Url(url, KEYS)).toEqual({
      bucket: 'Backups_1',
      prefix: 'prod/eu',
      endpoint: 'https://s3.example.com:9000',
      region: 'auto',
      forcePathStyle: true,
      credentials: KEYS,
    });
  });

  it('has the defaults of AWS without an endpoint', () => {
    expect(parseS3Url('s3://backups', undefined)).toEqual({
      bucket: 'backups',
      prefix: '',
      endpoint: undefined,
      region: 'us-east-1',
      forcePathStyle: false,
      credentials: undefined,
    });
    expect(parseS3Url('s3://backups?path-style=true', undefined).forcePathStyle).toBe(true);
  });
});
