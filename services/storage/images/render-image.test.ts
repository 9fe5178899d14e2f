import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const INVALID = 'The source image is invalid or unsupported for rendering';

let storage: StorageServer;
beforeAll(async () => {
  storage = await StorageServer.open({
    settings: { IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE: '100' },
    sql: `
      insert into storage.buckets (id, name, public) values ('open', 'open', true), ('closed', 'closed', false);
      create policy own on storage.objects for select to authenticated
        using (bucket_id = 'closed' and name like 'mine/%');
    `,
  });
  const picture = await sharp({ create: { width: 80, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  for (const path of ['open/a b.jpg', 'closed/mine/a.jpg', 'closed/theirs/a.jpg']) {
    await upload(path, picture, 'image/jpeg');
  }
  await upload('open/page.html', '<!doctype html><script>alert(1)</script>', 'image/png');
});
afterAll(() => storage.close());

async function upload(path: string, body: unknown, type: string) {
  const headers = { 'content-type': type, 'cache-control': 'max-age=60', 'x-upsert': 'true' };
  const response = await storage.request(`POST /object/${encodeURI(path)}`, { headers, body });
  expect(response.status).toBe(200);
}

interface Got {
  token?: string | null;
  headers?: Record<string, string>;
}

async function get(path: string, { token = null, headers = {} }: Got = {}) {
  const response = await fetch(`${storage.url}/render/image${path}`, {
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, header, bytes, json: () => JSON.parse(bytes.toString()) };
}

async function sizeOf(bytes: Buffer) {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
}

const clientOf = (token?: string) =>
  createClient(storage.apiUrl, storage.apiKeys.anon, {
    ...(token !== undefined && { global: { headers: { authorization: `Bearer ${token}` } } }),
    auth: { persistSession: false, autoRefreshToken: false },
  }).storage;

describe('a public image', () => {
  it('is resized', async () => {
    const { status, header, bytes } = await get('/public/open/a%20b.jpg?width=20&height=20&cacheNonce=1');
    expect(status).toBe(200);
    expect(await sizeOf(bytes)).toEqual({ width: 20, height: 20, format: 'jpeg' });
    const names = [
      'content-type',
      'content-length',
      'x-transformations',
      'cache-control',
      'x-robots-tag',
      'x-content-type-options',
      'content-disposition',
    ];
    expect(names.map(header)).toEqual([
      'image/jpeg',
      String(bytes.length),
      'height:20,width:20,resizing_type:fill',
      'max-age=60',
      'none',
      'nosniff',
      null,
    ]);
    expect(header('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(Date.parse(header('last-modified') ?? '')).toBeGreaterThan(0);
  });

  it('is limited to the largest allowed size', async () => {
    const { header } = await get('/public/open/a%20b.jpg?width=9000&resize=contain');
    expect(header('x-transformations')).toBe('width:100,resizing_type:fit');
  });

  it('is converted to a type that the client accepts', async () => {
    const accept = { accept: 'image/avif,image/webp,*/*;q=0.8' };
    const types = await Promise.all(
      ['', '?format=origin', '?format=avif'].map(async (query) => {
        const { header } = await get(`/public/open/a%20b.jpg${query}`, { headers: accept });
        return [header('content-type'), header('vary')?.includes('Accept') ?? false];
      }),
    );
    expect(types).toEqual([
      ['image/webp', true],
      ['image/jpeg', false],
      ['image/avif', false],
    ]);
  });

  it('is downloaded under a file name', async () => {
    const { header } = await get('/public/open/a%20b.jpg?width=10&download=x.jpg');
    expect(header('content-disposition')).toBe(`attachment; filename=x.jpg; filename*=UTF-8''x.jpg`);
  });

  it('is not sent again if the client has it', async () => {
    const path = '/public/open/a%20b.jpg?width=30';
    const etag = (await get(path)).header('etag') ?? '';
    const again = await get(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.bytes.length, again.header('etag')]).toEqual([304, 0, etag]);
    const other = await get(path, { headers: { 'if-none-match': etag, accept: 'image/webp' } });
    expect(other.status).toBe(200);
    expect(other.header('cache-control')).toBe('max-age=60, stale-while-revalidate=30');
  });

  it('is rendered from the new content after it was replaced', async () => {
    const picture = (width: number) =>
      sharp({ create: { width, height: 10, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
    await upload('open/replaced.png', await picture(10), 'image/png');
    const first = await get('/public/open/replaced.png');
    await upload('open/replaced.png', await picture(20), 'image/png');
    const second = await get('/public/open/replaced.png');
    expect([(await sizeOf(first.bytes)).width, (await sizeOf(second.bytes)).width]).toEqual([10, 20]);
    expect(second.header('etag')).not.toBe(first.header('etag'));
  });

  it('is rendered once for concurrent requests', async () => {
    const path = '/public/open/a%20b.jpg?width=77';
    const responses = await Promise.all(Array.from({ length: 80 }, () => get(path)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);
  });
});

describe('errors', () => {
  it.each([
    ['/public/open/a%20b.jpg?width=-1', 'Error', 'querystring/width must be >= 0'],
    [
      '/public/open/a%20b.jpg?format=exe',
      'Error',
      'querystring/format must be equal to one of the allowed values',
    ],
    ['/public/open/page.html', 'InvalidRequest', INVALID],
    ['/public/open/none.png', 'not_found', 'Object not found'],
    ['/public/closed/mine/a.jpg', 'Bucket not found', 'Bucket not found'],
    ['/public/nowhere/a.jpg', 'Bucket not found', 'Bucket not found'],
    ['/authenticated/closed/mine/a.jpg', 'Error', `headers must have required property 'authorization'`],
    ['/sign/closed/mine/a.jpg', 'Error', `querystring must have required property 'token'`],
    ['/sign/closed/mine/a.jpg?token=x', 'InvalidJWT', 'Invalid Compact JWS'],
  ])('are returned for %s', async (path, error, message) => {
    const { status, json } = await get(path);
    expect([status, json()]).toMatchObject([400, { error, message }]);
  });

  it('rejects a link for another object', async () => {
    const token = storage.instance.context.links.sign('download', { url: 'closed/theirs/a.jpg' }, 60);
    const { status, json } = await get(`/sign/closed/mine/a.jpg?token=${token}`);
    expect([status, json().error]).toEqual([400, 'InvalidSignature']);
  });

  it('rejects a row without content', async () => {
    await upload('open/gone.png', Buffer.from('x'), 'image/png');
    const [row] = await storage.rows<{ version: string }>(
      `select version from storage.objects where name = 'gone.png'`,
    );
    await storage.store.remove([{ bucket: 'open', key: 'gone.png', version: row?.version ?? '' }]);
    const { status, header, json } = await get('/public/open/gone.png');
    expect([status, header('cache-control'), json()]).toEqual([
      400,
      'no-store',
      { statusCode: '404', error: 'Not found', message: 'The resource was not found', code: 'NoSuchKey' },
    ]);
  });

  it('rejects files that are too large', async () => {
    await upload('open/large.png', new Uint8Array(25 * 1024 * 1024 + 1), 'image/png');
    expect((await get('/public/open/large.png')).json().message).toBe(
      'The source image file is too large to process',
    );
  });
});

describe('the client', () => {
  it('downloads a visible image', async () => {
    const bucket = clientOf(await storage.token({ sub: 'me' })).from('closed');
    const transform = { width: 20, height: 30, resize: 'fill' as const };
    const { data, error } = await bucket.download('mine/a.jpg', { transform });
    expect(error).toBeNull();
    const bytes = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
    // The requested shape, but not enlarged.
    expect(await sizeOf(bytes)).toEqual({ width: 20, height: 30, format: 'jpeg' });
    expect((await bucket.download('theirs/a.jpg', { transform })).error).toMatchObject({ status: 400 });
  });

  it('downloads a truncated image', async () => {
    const picture = { create: { width: 80, height: 40, channels: 3 as const, background: 'blue' } };
    const whole = await sharp(picture).jpeg().toBuffer();
    await upload('closed/mine/truncated.jpg', whole.subarray(0, -20), 'image/jpeg');
    const bucket = clientOf(await storage.token({ sub: 'me' })).from('closed');
    const { data, error } = await bucket.download('mine/truncated.jpg', { transform: { width: 20 } });
    expect(error).toBeNull();
    const bytes = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(await sizeOf(bytes)).toEqual({ width: 20, height: 10, format: 'jpeg' });
  });

  it('creates links to public images', async () => {
    const { data } = clientOf()
      .from('open')
      .getPublicUrl('a b.jpg', {
        transform: { width: 16, quality: 30, format: 'origin' },
      });
    expect(data.publicUrl).toContain('/render/image/public/');
    const response = await fetch(data.publicUrl);
    expect(response.headers.get('x-transformations')).toBe('width:16,resizing_type:fill,quality:30');
    expect(await sizeOf(Buffer.from(await response.arrayBuffer()))).toMatchObject({ width: 16, height: 8 });
  });

  it('creates links to private images that contain the transformations', async () => {
    const bucket = clientOf(await storage.token({ sub: 'me' })).from('closed');
    const transform = { width: 50, height: 20, resize: 'contain' as const, quality: 50 };
    const { data, error } = await bucket.createSignedUrl('mine/a.jpg', 60, { transform });
    expect(error).toBeNull();
    const url = new URL(data?.signedUrl ?? '');
    expect(url.pathname).toBe('/storage/v1/render/image/sign/closed/mine/a.jpg');
    // Only signed transformations apply.
    url.searchParams.set('width', '10');
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-transformations')).toBe('height:20,width:50,resizing_type:fit,quality:50');
    expect(Date.parse(response.headers.get('expires') ?? '')).toBeGreaterThan(Date.now());
    expect(response.headers.get('cache-control')).toBeNull();
    expect(await sizeOf(Buffer.from(await response.arrayBuffer()))).toMatchObject({ width: 40, height: 20 });
  });

  it('creates a plain link without transformations', async () => {
    const bucket = clientOf(await storage.token({ sub: 'me' })).from('closed');
    const { data } = await bucket.createSignedUrl('mine/a.jpg', 60, { transform: {} });
    expect(data?.signedUrl).toContain('/object/sign/');
    const refused = await bucket.createSignedUrl('mine/a.jpg', 60, { transform: { width: -1 } });
    expect(refused.error?.message).toBe('body/transform/width must be >= 0');
  });
});

describe('if rendering is disabled', () => {
  let plain: StorageServer;
  beforeAll(async () => {
    plain = await StorageServer.open({
      settings: { IMAGE_TRANSFORMATION_ENABLED: 'false' },
      sql: "insert into storage.buckets (id, name, public) values ('open', 'open', true)",
    });
  });
  afterAll(() => plain.close());

  it.each(['public', 'authenticated', 'sign'])(
    '%s has no route, and the response names the setting',
    async (access) => {
      expect(await plain.request(`GET /render/image/${access}/open/a.jpg`)).toMatchObject({
        status: 404,
        json: {
          statusCode: '404',
          code: 'InvalidRequest',
          message: `Route GET:/render/image/${access}/open/a.jpg not found: image transformations are disabled. Set storage.image_transformation.enabled in supabase/config.toml, or IMAGE_TRANSFORMATION_ENABLED, to true`,
        },
      });
    },
  );

  it('a link to a resized image serves the original', async () => {
    await plain.request('POST /object/open/a.txt', {
      headers: { 'content-type': 'text/plain' },
      body: 'original',
    });
    const { json } = await plain.request('POST /object/sign/open/a.txt', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ expiresIn: 60, transform: { width: 10 } }),
    });
    const path = (json as { signedURL: string }).signedURL;
    expect(path).toMatch(/^\/object\/sign\//);
    expect(await (await fetch(plain.url + path)).text()).toBe('original');
  });
});
