import { createHmac } from 'node:crypto';
import { TEST_JWT_SECRET } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const NOT_VISIBLE = 'Either the object does not exist or you do not have access to it';

let server: StorageServer;
const request: StorageServer['request'] = (target, options) => server.request(target, options);

beforeAll(async () => {
  server = await StorageServer.open();
  await request('POST /bucket', { body: { name: 'b' } });
  for (const key of ['a.txt', 'a b.txt', 'a%3Fb']) await request(`POST /object/b/${key}`, { body: key });
});
afterAll(() => server.close());

const link = async (key: string, expiresIn = 60) => {
  const { json } = await request(`POST /object/sign/b/${key}`, { body: { expiresIn } });
  return (json as { signedURL: string }).signedURL;
};
const uploadLink = async (key: string, headers: Record<string, string> = {}) => {
  const { json } = await request(`POST /object/upload/sign/b/${key}`, { body: {}, headers });
  return json as { url: string; token: string };
};
const partOf = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8'));
const tokenOf = (url: string) => url.split('token=')[1] ?? '';

function signed(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', TEST_JWT_SECRET).update(text).digest('base64url')}`;
}
const expiry = Math.floor(Date.now() / 1000) + 60;

describe('a link', () => {
  it('is a token for one object', async () => {
    const url = await link('a.txt');
    expect(url).toMatch(/^\/object\/sign\/b\/a\.txt\?token=/);
    expect(partOf(tokenOf(url), 0)).toEqual({ alg: 'HS256' });
    const { iat, ...claims } = partOf(tokenOf(url), 1);
    expect(claims).toEqual({ url: 'b/a.txt', scope: 'download', exp: iat + 60 });
    const response = await request(`GET ${url}&download=x`, { token: null });
    expect(response).toMatchObject({ status: 200, text: 'a.txt' });
    expect(response.headers.get('expires')).toBe(new Date((iat + 60) * 1000).toUTCString());
    expect(response.headers.has('cache-control')).toBe(false);
    expect(response.headers.get('content-disposition')).toContain('filename=x');
  });

  it.each(['a b.txt', 'a%3Fb'])('of %s works with the encoding of official clients', async (key) => {
    const url = await link(key);
    const content = key === 'a%3Fb' ? 'a%3Fb' : 'a b.txt';
    expect((await request(`GET ${encodeURI(url)}`, { token: null })).text).toBe(content);
    expect((await request(`GET ${url.replace(' ', '%20')}`, { token: null })).text).toBe(content);
  });

  it('to many objects are returned in order', async () => {
    const paths = ['none', 'a.txt', 'a b.txt', 'none'];
    const { json } = await request('POST /object/sign/b', { body: { expiresIn: 60, paths } });
    const unseen = { error: NOT_VISIBLE, path: 'none', signedURL: null };
    const seen = (path: string) => ({
      error: null,
      path,
      signedURL: expect.stringContaining(`/object/sign/b/${path}?`),
    });
    expect(json).toEqual([unseen, seen('a.txt'), seen('a b.txt'), unseen]);
    const { json: none } = await request('POST /object/sign/nobucket', {
      body: { expiresIn: 60, paths: ['x'] },
    });
    expect(none).toEqual([{ error: NOT_VISIBLE, path: 'x', signedURL: null }]);
  });

  it.each<[string, unknown, object]>([
    ['POST /object/sign/b/none', { expiresIn: 1 }, { statusCode: '404', code: 'NoSuchKey' }],
    ['POST /object/sign/none/a', { expiresIn: 1 }, { statusCode: '404', code: 'NoSuchKey' }],
    ['POST /object/sign/b/a.txt', {}, { message: "body must have required property 'expiresIn'" }],
    ['POST /object/sign/b/a.txt', { expiresIn: 0 }, { message: 'body/expiresIn must be >= 1' }],
    [
      'POST /object/sign/b/a.txt',
      { expiresIn: 1e15 },
      { message: 'Invalid Parameter expiresIn', code: 'InvalidParameter' },
    ],
    [
      'POST /object/sign/b',
      { expiresIn: 1, paths: [] },
      { message: 'body/paths must NOT have fewer than 1 items' },
    ],
    [
      'POST /object/sign/b',
      { expiresIn: 1, paths: Array.from({ length: 1001 }, String) },
      { message: 'body/paths must NOT have more than 1000 items' },
    ],
  ])('rejects %s %j', async (target, body, json) => {
    expect(await request(target, { body })).toMatchObject({ status: 400, json });
  });
});

describe('a download link', () => {
  const invalid = (message: string) => ({
    statusCode: '400',
    error: 'InvalidSignature',
    message,
    code: 'InvalidSignature',
  });
  const jwt = { statusCode: '400', error: 'InvalidJWT', code: 'InvalidJWT' };

  it.each<[string, () => Promise<string> | string, object]>([
    [
      'without a token',
      () => '',
      { message: "querystring must have required property 'token'", code: 'InvalidRequest' },
    ],
    ['with a malformed token', () => '?token=x', { ...jwt, message: 'Invalid Compact JWS' }],
    [
      'with an expired token',
      () => `?token=${signed({ url: 'b/a.txt', scope: 'download', exp: 1 })}`,
      { ...jwt, message: '"exp" claim timestamp check failed' },
    ],
    [
      'with another signature',
      async () => `?token=${tokenOf(await link('a.txt')).slice(0, -4)}AAAA`,
      { ...jwt, message: 'signature verification failed' },
    ],
    [
      'with a token for another object',
      async () => `?token=${tokenOf(await link('a b.txt'))}`,
      invalid('Invalid signature'),
    ],
    [
      'with a token for an upload',
      async () => `?token=${(await uploadLink('a.txt', { 'x-upsert': 'true' })).token}`,
      invalid('Token is not scoped for download'),
    ],
    [
      'with a token for an upload from before scopes existed',
      () => `?token=${signed({ url: 'b/a.txt', upsert: true, exp: expiry })}`,
      invalid('Token is not scoped for download'),
    ],
    [
      'with a session token',
      () => `?token=${signed({ url: 'b/a.txt', role: 'service_role', exp: expiry })}`,
      invalid('Token is not scoped for download'),
    ],
    [
      'with a token without an expiry',
      () => `?token=${signed({ url: 'b/a.txt', scope: 'download' })}`,
      invalid('Token is not scoped for download'),
    ],
    [
      'with an API key',
      () => `?token=${server.apiKeys.serviceRole}`,
      invalid('Token is not scoped for download'),
    ],
    [
      'with a token of a user',
      async () => `?token=${await server.token({ url: 'b/a.txt', scope: 'download' })}`,
      jwt,
    ],
  ])('is rejected %s', async (_, query, json) => {
    expect(await request(`GET /object/sign/b/a.txt${await query()}`, { token: null })).toMatchObject({
      status: 400,
      json,
    });
  });

  it('is accepted if it was issued before scopes existed', async () => {
    const token = signed({ url: 'b/a.txt', exp: expiry });
    expect((await request(`GET /object/sign/b/a.txt?token=${token}`, { token: null })).text).toBe('a.txt');
  });
});

describe('a link for an upload', () => {
  it('permits one upload, owned by the signer', async () => {
    const token = await server.token({ role: 'service_role', sub: 'someone' });
    const { json } = await request('POST /object/upload/sign/b/up.txt', { token, body: {} });
    const { url, token: linked } = json as { url: string; token: string };
    expect(url).toBe(`/object/upload/sign/b/up.txt?token=${linked}`);
    const { iat, ...claims } = partOf(linked, 1);
    expect(claims).toEqual({
      owner: 'someone',
      url: 'b/up.txt',
      upsert: false,
      scope: 'upload',
      exp: iat + 7200,
    });
    const upload = () => request(`PUT ${url}`, { token: null, body: 'one', headers: { 'x-upsert': 'true' } });
    expect((await upload()).json).toEqual({ Key: 'b/up.txt' });
    expect((await upload()).json).toMatchObject({ code: 'KeyAlreadyExists' });
    expect(await server.rows(`select owner, owner_id from storage.objects where name = 'up.txt'`)).toEqual([
      { owner: null, owner_id: 'someone' },
    ]);
  });

  it('may overwrite if it was signed with upsert', async () => {
    const { url } = await uploadLink('over.txt', { 'x-upsert': 'true' });
    for (const body of ['one', 'two'])
      expect((await request(`PUT ${url}`, { token: null, body })).status).toBe(200);
    expect((await request('GET /object/b/over.txt')).text).toBe('two');
  });

  it('is not issued for an existing object', async () => {
    expect(await request('POST /object/upload/sign/b/a.txt', { body: {} })).toMatchObject({
      json: { code: 'KeyAlreadyExists' },
    });
  });

  it('is rejected for other objects and actions', async () => {
    const { token } = await uploadLink('mine.txt');
    const other = await request(`PUT /object/upload/sign/b/yours.txt?token=${token}`, {
      token: null,
      body: 'x',
    });
    expect(other.json).toMatchObject({ code: 'InvalidSignature', message: 'Invalid signature' });
    const download = tokenOf(await link('a.txt'));
    const replayed = await request(`PUT /object/upload/sign/b/a.txt?token=${download}`, {
      token: null,
      body: 'x',
    });
    expect(replayed.json).toMatchObject({ message: 'Token is not scoped for upload' });
    expect((await request('PUT /object/upload/sign/b/a.txt', { token: null, body: 'x' })).json).toMatchObject(
      {
        message: "querystring must have required property 'token'",
      },
    );
  });
});
