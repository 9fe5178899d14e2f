/** Tests the official client. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from './testing/storage-server.ts';

const OWNER = '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f';

let server: StorageServer;
let service: SupabaseClient;
let user: SupabaseClient;

const clientFor = (key: string) =>
  createClient(server.apiUrl, key, { auth: { persistSession: false, autoRefreshToken: false } });

beforeAll(async () => {
  server = await StorageServer.open({ settings: { FILE_SIZE_LIMIT: '1MB' } });
  service = clientFor(server.apiKeys.serviceRole);
  user = clientFor(await server.token({ sub: OWNER }));
  await server.run(`
    create policy read on storage.objects for select to authenticated using (bucket_id = 'docs');
    create policy write on storage.objects for insert to authenticated
      with check (bucket_id = 'docs' and (storage.foldername(name))[1] = auth.uid()::text);
    create policy change on storage.objects for update to authenticated using (owner_id = auth.uid()::text);
    create policy remove on storage.objects for delete to authenticated using (owner_id = auth.uid()::text)`);
  await service.storage.createBucket('docs', { public: false, fileSizeLimit: '500KB' });
  await service.storage.createBucket('open', { public: true });
});
afterAll(() => server.close());

const docs = () => user.storage.from('docs');
const path = (name: string) => `${OWNER}/${name}`;

describe('buckets', () => {
  it('are created, found, changed, emptied and deleted', async () => {
    const options = { public: true, fileSizeLimit: '20KB', allowedMimeTypes: ['image/png'] };
    expect(await service.storage.createBucket('new', options)).toEqual({
      data: { name: 'new' },
      error: null,
    });
    expect((await service.storage.getBucket('new')).data).toMatchObject({
      id: 'new',
      public: true,
      file_size_limit: 20_000,
      allowed_mime_types: ['image/png'],
    });
    expect((await service.storage.listBuckets({ search: 'ne' })).data).toMatchObject([{ id: 'new' }]);
    expect((await service.storage.updateBucket('new', { public: false })).data).toEqual({
      message: 'Successfully updated',
    });
    await service.storage.from('new').upload('x.png', Buffer.from('x'), { contentType: 'image/png' });
    expect((await service.storage.deleteBucket('new')).error).toMatchObject({
      message: 'The bucket you tried to delete is not empty',
      status: 400,
      statusCode: '409',
    });
    expect((await service.storage.emptyBucket('new')).error).toBeNull();
    expect((await service.storage.deleteBucket('new')).data).toEqual({ message: 'Successfully deleted' });
    expect((await service.storage.getBucket('new')).error).toMatchObject({ message: 'Bucket not found' });
  });
});

describe('objects', () => {
  it('are uploaded from any body type and downloaded unchanged', async () => {
    const bodies = {
      text: 'naïve',
      buffer: Buffer.from('naïve'),
      array: new TextEncoder().encode('naïve').buffer,
      blob: new Blob(['naïve'], { type: 'text/plain' }),
      file: new File(['naïve'], 'x.txt', { type: 'text/plain' }),
      stream: new Blob(['naïve']).stream(),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const { data, error } = await docs().upload(path(name), body as Blob, {
        metadata: { name },
        cacheControl: '60',
        ...(name === 'stream' && { duplex: 'half' }),
      });
      expect({ name, error }).toEqual({ name, error: null });
      expect(data).toEqual({ id: expect.any(String), path: path(name), fullPath: `docs/${path(name)}` });
      expect(await (await docs().download(path(name))).data?.text()).toBe('naïve');
      expect((await docs().info(path(name))).data).toMatchObject({
        name: path(name),
        bucketId: 'docs',
        size: 6,
        cacheControl: 'max-age=60',
        metadata: { name },
      });
    }
    const { data } = await docs().list(OWNER, { sortBy: { column: 'name', order: 'desc' } });
    expect(data?.map(({ name }) => name)).toEqual(['text', 'stream', 'file', 'buffer', 'blob', 'array']);
  });

  it('are overwritten, and only by update or upsert', async () => {
    await docs().upload(path('once'), 'one');
    expect((await docs().upload(path('once'), 'two')).error).toMatchObject({
      message: 'The resource already exists',
      statusCode: '409',
    });
    expect((await docs().upload(path('once'), 'two', { upsert: true })).error).toBeNull();
    expect((await docs().update(path('once'), 'three')).error).toBeNull();
    expect(await (await docs().download(path('once'))).data?.text()).toBe('three');
  });

  it('are rejected by policies and bucket rules', async () => {
    expect((await docs().upload('elsewhere/x', 'x')).error).toMatchObject({
      message: 'new row violates row-level security policy',
      statusCode: '403',
    });
    expect((await docs().upload(path('large'), Buffer.alloc(500_001))).error).toMatchObject({
      message: 'The object exceeded the maximum allowed size',
      statusCode: '413',
    });
    expect((await docs().upload(path('large'), new Blob(['x'.repeat(500_001)]))).error).toMatchObject({
      statusCode: '413',
    });
    expect(
      (await clientFor(server.apiKeys.anon).storage.from('docs').download(path('once'))).data,
    ).toBeNull();
  });

  it('are reported as existing or missing', async () => {
    await docs().upload(path('here'), 'x', { upsert: true });
    expect((await docs().exists(path('here'))).data).toBe(true);
    expect((await docs().exists(path('not here'))).data).toBe(false);
  });

  it('are moved, copied and removed', async () => {
    await docs().upload(path('from'), 'x');
    expect(await docs().move(path('from'), path('to'))).toEqual({
      data: { message: 'Successfully moved' },
      error: null,
    });
    expect(await docs().copy(path('to'), path('copy'))).toEqual({
      data: { path: `docs/${path('copy')}` },
      error: null,
    });
    const { data } = await docs().remove([path('to'), path('copy'), path('from')]);
    expect(data?.map(({ name }) => name).toSorted()).toEqual([path('copy'), path('to')]);
  });

  it('are listed by page', async () => {
    const found = await docs().listV2({ prefix: `${OWNER}/`, with_delimiter: true, limit: 2 });
    expect(found.data).toMatchObject({ hasNext: true, folders: [] });
    const cursor = found.data?.nextCursor ?? '';
    const next = await docs().listV2({ prefix: `${OWNER}/`, with_delimiter: true, cursor });
    expect(next.data?.objects.length).toBeGreaterThan(0);
  });
});

describe('links', () => {
  it('allow downloads of objects that the signer may see', async () => {
    const name = path('a b+c.txt');
    await docs().upload(name, 'shared', { upsert: true });
    const { data } = await docs().createSignedUrl(name, 60, { download: 'notes.txt' });
    const response = await fetch(data?.signedUrl ?? '');
    expect(await response.text()).toBe('shared');
    expect(response.headers.get('content-disposition')).toContain('filename=notes.txt');
    const { data: many } = await docs().createSignedUrls([name, 'none'], 60);
    expect(many?.map(({ error }) => error)).toEqual([null, expect.stringContaining('does not exist')]);
    expect(await (await fetch(many?.[0]?.signedUrl ?? '')).text()).toBe('shared');
  });

  it('allow uploads that the signer may perform', async () => {
    const { data } = await docs().createSignedUploadUrl(path('by link'));
    const anon = clientFor(server.apiKeys.anon).storage.from('docs');
    const upload = await anon.uploadToSignedUrl(path('by link'), data?.token ?? '', new Blob(['x']));
    expect(upload).toEqual({
      data: { path: path('by link'), fullPath: `docs/${path('by link')}` },
      error: null,
    });
    expect((await docs().exists(path('by link'))).data).toBe(true);
    expect((await docs().createSignedUploadUrl('elsewhere')).error).toMatchObject({ statusCode: '403' });
  });

  it('of public buckets need no token', async () => {
    await service.storage.from('open').upload('a/b c.txt', 'public');
    const { publicUrl } = user.storage.from('open').getPublicUrl('a/b c.txt', { download: true }).data;
    const response = await fetch(publicUrl);
    expect(await response.text()).toBe('public');
    expect(response.headers.get('content-disposition')).toBe('attachment;');
    const { publicUrl: closed } = user.storage.from('docs').getPublicUrl(path('here')).data;
    expect((await fetch(closed)).status).toBe(400);
  });
});
