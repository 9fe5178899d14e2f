import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_UNAUTHORIZED_BYTES } from './request/receive-body.ts';
import { DataServer } from './testing/data-server.ts';

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create schema closed;
     create table films (id int, title text);
     create table in_part (id int, title text);
     create table hidden (id int);
     create view hidden_view as select * from hidden;
     create table closed.films (id int);
     create function take(doc json) returns int language sql as 'select 1';
     create function hide(doc json) returns int language sql as 'select 1';
     revoke all on in_part, hidden, hidden_view from anon, authenticated;
     revoke all on function hide from public, anon, authenticated;
     grant insert (title) on in_part to anon;
     grant all on films to anon, authenticated;
     grant all on closed.films to anon`,
    { PGRST_DB_SCHEMAS: 'public,closed' },
  );
});
afterAll(() => server.close());

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  claims?: Record<string, unknown>;
}

/** Sends the head of a request with a large body, and nothing of the body. */
async function sendHead({ method, path, headers = {}, claims }: Sent) {
  const authorization = claims && `Bearer ${await server.token(claims)}`;
  const sent = request(server.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'content-length': MAX_UNAUTHORIZED_BYTES + 1,
      ...(authorization && { authorization }),
      ...headers,
    },
  });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  sent.destroy();
  return { status: response.statusCode, json: JSON.parse(text) as unknown };
}

const PUBLIC = { 'content-profile': 'public' };
const CLOSED = { 'content-profile': 'closed' };
const MEMBER = { role: 'authenticated' };

describe('a large body', () => {
  it.each([
    ['a table', { method: 'POST', path: '/hidden', headers: PUBLIC }, 401],
    ['a table despite a token', { method: 'POST', path: '/hidden', headers: PUBLIC, claims: MEMBER }, 403],
    ['a view', { method: 'POST', path: '/hidden_view', headers: PUBLIC }, 401],
    ['an update', { method: 'PATCH', path: '/in_part?id=eq.1', headers: PUBLIC }, 401],
    ['a PUT', { method: 'PUT', path: '/hidden?id=eq.1', headers: PUBLIC }, 401],
    ['a schema', { method: 'POST', path: '/films', headers: CLOSED }, 401],
    ['a function', { method: 'POST', path: '/rpc/hide', headers: PUBLIC }, 401],
  ] as const)(
    'is rejected before it is received if the caller lacks the privilege for %s',
    async (_, sent, status) => {
      const refused = await sendHead(sent);
      expect(refused).toMatchObject({ status, json: { code: '42501' } });
    },
  );

  it.each([
    { method: 'POST', path: '/hidden', headers: PUBLIC, body: { id: 1 } },
    { method: 'PATCH', path: '/hidden_view', headers: PUBLIC, body: { id: 1 } },
    { method: 'POST', path: '/films', headers: CLOSED, body: { id: 1 } },
    { method: 'POST', path: '/rpc/hide', headers: PUBLIC, body: { doc: 1 } },
  ])('gets the same response as a small body: $method $path', async ({ body, ...sent }) => {
    const { status, json } = await server.request(sent.path, { ...sent, body });
    expect(await sendHead(sent)).toEqual({ status, json });
  });

  it.each([
    ['an unknown relation', '/filmz', 404, 'PGRST205'],
    ['an unknown function', '/rpc/nothing', 404, 'PGRST202'],
    ['an unknown path', '/a/b/c', 404, 'PGRST125'],
  ])('is rejected before it is received for %s', async (_, path, status, code) => {
    expect(await sendHead({ method: 'POST', path })).toMatchObject({ status, json: { code } });
  });

  it('is rejected before it is received if the token is invalid', async () => {
    const sent = { method: 'POST', path: '/films', headers: { authorization: 'Bearer a.b.c' } };
    expect(await sendHead(sent)).toMatchObject({ status: 401, json: { code: 'PGRST301' } });
  });

  it.each([
    ['a table', '/films', { title: 'x'.repeat(MAX_UNAUTHORIZED_BYTES) }, 201],
    [
      'a table with a privilege for one column',
      '/in_part',
      { title: 'x'.repeat(MAX_UNAUTHORIZED_BYTES) },
      201,
    ],
    ['a function', '/rpc/take', { doc: 'x'.repeat(MAX_UNAUTHORIZED_BYTES) }, 200],
  ])('is received for %s', async (_, path, body, status) => {
    const response = await server.request(path, { method: 'POST', body, headers: PUBLIC });
    expect([response.status, response.text]).toEqual([status, status === 200 ? '1' : '']);
  });

  it('is ignored if the action does not read a body', async () => {
    const body = 'x'.repeat(MAX_UNAUTHORIZED_BYTES + 1);
    const { status } = await server.request('/films?id=eq.0', { method: 'DELETE', body });
    expect(status).toBe(204);
  });
});
