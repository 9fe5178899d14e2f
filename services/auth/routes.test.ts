import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer, waitForLock } from './testing/auth-server.ts';
import { newEmail, PASSWORD, signUpPerson } from './testing/people.ts';
import { play, type Scenario, send } from './testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

const plain = { 'content-type': 'text/plain; charset=utf-8' };

describe('an unknown path or method', () => {
  it.each<Scenario>([
    { name: 'an unknown path', path: '/nope', status: 404, responseHeaders: plain },
    {
      name: 'a POST to an unknown path',
      method: 'POST',
      path: '/nope',
      body: {},
      status: 404,
      responseHeaders: plain,
    },
    { name: 'a path similar to an endpoint', method: 'POST', path: '/sign-up', body: {}, status: 404 },
    { name: 'a path below an endpoint', path: '/user/x', status: 404, responseHeaders: plain },
    { name: 'the prefix', path: '/', status: 404, responseHeaders: plain },
    { name: 'an endpoint with a slash at the end', path: '/signup/', status: 404, responseHeaders: plain },
  ])('responds to $name with 404 in plain text', async (scenario) => {
    await play(server, { ...scenario, contains: ['404 page not found'] });
  });

  it.each<Scenario>([
    { name: 'GET /signup', path: '/signup', status: 405, responseHeaders: { allow: 'POST' } },
    {
      name: 'PATCH /user',
      method: 'PATCH',
      path: '/user',
      body: {},
      status: 405,
      responseHeaders: { allow: 'GET, PUT, DELETE' },
    },
    { name: 'POST /health', method: 'POST', path: '/health', body: 'x', status: 405 },
    { name: 'GET /token', path: '/token?grant_type=password', status: 405 },
    {
      name: 'a method that another path has which matches the URL',
      method: 'DELETE',
      path: '/user/identities/authorize',
      status: 405,
      responseHeaders: { allow: 'GET' },
    },
    {
      name: 'a method of no path that matches the URL',
      method: 'PUT',
      path: '/user/identities/authorize',
      status: 405,
      responseHeaders: { allow: 'GET' },
    },
    {
      name: 'GET of a path with a parameter',
      path: '/factors/f81d4fae-7dec-11d0-a765-00a0c91e6bf6/verify',
      status: 405,
      responseHeaders: { allow: 'POST' },
    },
    { name: 'GET of an escaped path', path: '/sign%75p', status: 405, responseHeaders: { allow: 'POST' } },
  ])('responds to $name with 405 and an empty body', async (scenario) => {
    expect((await play(server, scenario)).text).toBe('');
  });
});

describe('bodies', () => {
  const json = JSON.stringify({ email: 'nobody@example.org', password: PASSWORD });
  const signIn = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = json) =>
    send(server, { method: 'POST', path: '/token?grant_type=password', headers, body });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    '///',
    'nonsense',
  ])('are parsed as JSON with the content type %s', async (type) => {
    expect((await signIn({ 'content-type': type })).json).toMatchObject({
      error_code: 'invalid_credentials',
    });
  });

  it('are parsed as JSON without a content type', async () => {
    expect((await signIn({}, new TextEncoder().encode(json))).json).toMatchObject({
      error_code: 'invalid_credentials',
    });
  });

  it('may have 64 KiB', async () => {
    const padded = json.padEnd(64 * 1024, ' ');
    expect((await signIn({}, padded)).json).toMatchObject({ error_code: 'invalid_credentials' });
  });

  it.each([64 * 1024 + 1, 10 * 1024 * 1024])('may not have %d bytes', async (length) => {
    const response = await signIn({}, json.padEnd(length, ' '));
    expect(response).toMatchObject({
      status: 413,
      json: {
        code: 413,
        error_code: 'request_entity_too_large',
        msg: 'Request body too large (max 65536 bytes)',
      },
    });
    expect(response.headers.get('x-sb-error-code')).toBe('request_entity_too_large');
  });

  it.each([
    ['POST', '/signup', 128],
    ['POST', '/otp', 128],
    ['POST', '/magiclink', 128],
    ['PUT', '/user', 128],
    ['POST', '/admin/users', 256],
    ['POST', '/recover', 64],
    ['POST', '/factors', 64],
    ['POST', '/oauth/token', 64],
    ['POST', '/sso/saml/acs', 1024],
  ] as const)('of %s %s may have up to %d KiB', async (method, path, kibibytes) => {
    const bytes = kibibytes * 1024;
    const refused = await send(server, { method, path, body: ' '.repeat(bytes + 1) });
    expect([refused.status, refused.json.msg]).toEqual([413, `Request body too large (max ${bytes} bytes)`]);
    expect((await send(server, { method, path, body: ' '.repeat(bytes) })).status).not.toBe(413);
  });

  it('may be forms with up to 100 fields', async () => {
    const refused = await send(server, { method: 'POST', path: '/callback', body: 'a=1&'.repeat(100) });
    expect(refused.json).toMatchObject({ error_code: 'validation_failed' });
  });

  it('that are too large are rejected in the newer shape, too', async () => {
    const { json: body } = await signIn({ 'x-supabase-api-version': '2024-01-01' }, json.padEnd(2e6, ' '));
    expect(body).toEqual({
      code: 'request_entity_too_large',
      message: 'Request body too large (max 65536 bytes)',
    });
  });

  it('are ignored by endpoints without a body', async () => {
    const { accessToken: bearer } = await signUpPerson(server);
    await play(server, { name: '', method: 'POST', path: '/logout', bearer, body: '{"broken', status: 204 });
  });
});

describe('the duration of requests', () => {
  it('is limited', async () => {
    const hasty = await startAuthServer({ GOTRUE_API_MAX_REQUEST_DURATION: '200ms' }, server);
    const ann = await signUpPerson(server);
    await server.database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select from auth.users where id = $1 for update', values: [ann.id] });
      const call = { method: 'PUT', path: '/user', bearer: ann.accessToken, body: { data: {} } } as const;
      const [older] = await Promise.all([send(hasty, call), waitForLock(server)]);
      expect(older).toMatchObject({
        status: 504,
        json: { code: 504, error_code: 'request_timeout', error_id: older.headers.get('x-request-id') },
      });
      const newer = await send(hasty, { ...call, headers: { 'x-supabase-api-version': '2024-01-01' } });
      expect(newer.json).toEqual({
        code: 'request_timeout',
        message: 'Processing this request timed out, please retry after a moment.',
      });
    });
    await hasty.close();
  });
});

it('responds to HEAD like GET, without the body', async () => {
  const response = await send(server, { method: 'HEAD', path: '/health' });
  expect([response.status, response.text]).toEqual([200, '']);
});

it('responds to HEAD of a path without GET with 404', async () => {
  expect((await send(server, { method: 'HEAD', path: '/signup' })).status).toBe(404);
});

it('responds with a plain 500 and the logged request id if the database is gone', async () => {
  const isolated = await startAuthServer();
  await isolated.database.admin.query({ text: 'drop table auth.users cascade' });
  const body = { email: newEmail(), password: PASSWORD };
  const response = await send(isolated, { method: 'POST', path: '/token?grant_type=password', body });
  await isolated.close();
  expect(response).toMatchObject({
    status: 500,
    json: {
      code: 500,
      error_code: 'unexpected_failure',
      msg: 'Unexpected failure, please check server logs for more information',
      error_id: response.headers.get('x-request-id'),
    },
  });
});
