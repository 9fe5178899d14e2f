import { createHmac } from 'node:crypto';
import { TEST_JWT_SECRET } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from './testing/storage-server.ts';

let server: StorageServer;

beforeAll(async () => {
  server = await StorageServer.open();
});
afterAll(() => server.close());

function signed(claims: object, secret = TEST_JWT_SECRET): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const expiry = Math.floor(Date.now() / 1000) + 3600;
const denied = (message: unknown) => ({
  status: 400,
  json: { statusCode: '403', error: 'Unauthorized', message, code: 'AccessDenied' },
});

describe('a route that needs a token', () => {
  it('rejects a request without a token', async () => {
    expect(await server.request('GET /bucket', { token: null })).toMatchObject({
      status: 400,
      json: {
        statusCode: '400',
        error: 'Error',
        message: "headers must have required property 'authorization'",
        code: 'InvalidRequest',
      },
    });
  });

  it.each<[string, string, unknown]>([
    ['of invalid format', 'x', 'Invalid Compact JWS'],
    [
      'signed with another secret',
      signed({ role: 'anon', exp: expiry }, 'another'),
      'signature verification failed',
    ],
    ['expired', signed({ role: 'anon', exp: 1 }), '"exp" claim timestamp check failed'],
    ['without a role', signed({ exp: expiry }), expect.any(String)],
    ['of an empty role', signed({ role: '', exp: expiry }), expect.any(String)],
    ['of the login role', signed({ role: 'none', exp: expiry }), expect.any(String)],
    [
      'of the role that owns the tables',
      signed({ role: 'supabase_storage_admin', exp: expiry }),
      expect.any(String),
    ],
    ['of a role that is not a text', signed({ role: ['anon'], exp: expiry }), expect.any(String)],
    ['of an unknown role', signed({ role: 'ghost', exp: expiry }), 'role "ghost" does not exist'],
    [
      'of a role that the service may not switch to',
      signed({ role: 'authenticator', exp: expiry }),
      'permission denied to set role "authenticator"',
    ],
    ['of a superuser', signed({ role: 'postgres', exp: expiry }), 'permission denied to set role "postgres"'],
    ['of a role with a NUL character', signed({ role: 'a\u0000b', exp: expiry }), expect.any(String)],
  ])('rejects a token %s', async (_, token, message) => {
    const response = await server.request('GET /bucket', { token });
    if (_ === 'of a role with a NUL character') expect(response).toMatchObject({ status: 400 });
    else expect(response).toMatchObject(denied(message));
  });

  it('rejects a header of another scheme', async () => {
    const headers = { authorization: 'Basic eDp5' };
    expect(await server.request('GET /bucket', { token: null, headers })).toMatchObject(
      denied('Invalid Compact JWS'),
    );
  });

  it('accepts publishable and secret keys in place of tokens', async () => {
    expect((await server.request('GET /bucket', { token: 'sb_secret_test' })).status).toBe(200);
    expect((await server.request('GET /bucket', { token: 'sb_secret_other' })).status).toBe(400);
  });

  it('does not accept a link as a session token', async () => {
    const token = server.instance.context.links.sign('download', { url: 'a/b' }, 60);
    expect(await server.request('GET /bucket', { token })).toMatchObject(denied(expect.any(String)));
  });
});

describe('an unknown path', () => {
  it.each(['GET /object/x', 'PATCH /bucket', 'GET /cdn', 'GET /render/x?y=z', 'PATCH /object/a/b'])(
    'is rejected with 404: %s',
    async (target) => {
      const [method, path] = target.split(' ');
      expect(await server.request(target)).toMatchObject({
        status: 404,
        json: {
          statusCode: '404',
          error: 'Not Found',
          message: `Route ${method}:${path} not found`,
          code: 'InvalidRequest',
        },
      });
    },
  );

  it('is rejected with 404 outside of all route groups', async () => {
    expect(await server.request('GET /nothing?a=b')).toMatchObject({
      status: 404,
      json: { message: 'Route GET:/nothing?a=b not found', error: 'Not Found', statusCode: 404 },
    });
  });
});

describe('bodies', () => {
  it.each([
    ['{', 'application/json', "Body is not valid JSON but content-type is set to 'application/json'"],
    ['', 'application/json', "Body cannot be empty when content-type is set to 'application/json'"],
    [
      '{"__proto__":{}}',
      'application/json',
      "Body is not valid JSON but content-type is set to 'application/json'",
    ],
    ['{"name":"x"}', 'text/plain', 'body must be object'],
    ['{"name":"x"}', 'something/else', 'body must be object'],
  ])('of %j with the type %s are rejected', async (body, type, message) => {
    const response = await server.request('POST /bucket', { body, headers: { 'content-type': type } });
    expect(response).toMatchObject({
      status: 400,
      json: { statusCode: '400', message, code: 'InvalidRequest' },
    });
  });

  it('rejects an invalid type', async () => {
    const response = await server.request('POST /bucket', { body: '{}', headers: { 'content-type': 'x' } });
    expect(response).toMatchObject({
      status: 400,
      json: { statusCode: '415', error: 'invalid_mime_type', code: 'InvalidMimeType' },
    });
  });

  it('rejects bodies that are too large', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(3_000_000) });
    const response = await server.request('POST /bucket', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response).toMatchObject({ status: 400, json: { statusCode: '413', code: 'EntityTooLarge' } });
  });

  it('may be empty if nothing is required', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await server.request('DELETE /bucket/none', { headers })).json).toMatchObject({
      code: 'NoSuchBucket',
    });
    expect((await server.request('DELETE /object/none/x', { headers })).json).toMatchObject({
      code: 'InvalidRequest',
    });
  });
});

describe('public endpoints', () => {
  it('report that the service runs', async () => {
    expect(await server.request('GET /status', { token: null })).toMatchObject({ status: 200, text: '' });
    expect(await server.request('GET /version', { token: null })).toMatchObject({
      status: 200,
      text: '0.1.0',
    });
  });

  it('do not report the state of the database', async () => {
    expect((await server.request('GET /health', { token: null })).status).toBe(400);
    expect(await server.request('GET /health')).toMatchObject({ status: 200, json: { healthy: true } });
  });
});

describe('purging a cache', () => {
  it.each(['DELETE /cdn', 'DELETE /cdn/b?transformations=true', 'DELETE /cdn/b/a/c'])(
    'succeeds only for administrators: %s',
    async (target) => {
      expect(await server.request(target, { body: {} })).toMatchObject({
        status: 200,
        json: { message: 'success' },
      });
      expect(await server.request(target, { token: await server.token() })).toMatchObject({ status: 403 });
    },
  );
});

describe('pages of other origins', () => {
  it('may send the headers that describe uploads', async () => {
    const names = 'authorization, x-upsert, x-metadata, tus-resumable, upload-length, range';
    const response = await server.request('OPTIONS /object/b/x', {
      token: null,
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': names,
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe(names);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
  });
});
