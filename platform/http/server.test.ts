import { mkdtemp } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiKeys,
  createApiKeyReader,
  createApiKeys,
  createKeyring,
  generateKeyFile,
  type Keys,
} from '@greenroom/keys';
import { createLogger } from '@greenroom/log';
import type { FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowLongUrls, createHttpServer, createMetrics, limits, registerApiScope } from './index.ts';

let url: string;
let keys: Keys;
let apiKeys: ApiKeys;
let userToken: string;
let stop: () => Promise<void>;

/** Echoes its input. */
const echo: FastifyPluginAsync = async (scope) => {
  scope.get('/who', async (request) => request.credentials);
  scope.get('/address', async ({ clientAddress, headers }) => ({
    address: clientAddress,
    forwarded: headers['x-forwarded-for'],
    pagesToken: headers['x-greenroom-pages'],
  }));
  scope.get('/counted', async ({ clientAddress, isCounted }) => ({ address: clientAddress, isCounted }));
  scope.post('/body', async (request) => ({ body: request.body }));
  scope.post('/bytes', async (request, reply) => {
    const bytes = Buffer.from((request.body as { hex: string }).hex, 'hex');
    return reply.header('content-type', 'application/vnd.of+json').send(bytes);
  });
  scope.get('/open', async () => ({ open: true }));
  scope.get('/broken', async () => {
    throw new Error('the inside of our server');
  });
};

beforeAll(async () => {
  const file = await generateKeyFile(Math.floor(Date.now() / 1000));
  keys = createKeyring({ ...file, signingKeys: [file.signingKey] });
  apiKeys = await createApiKeys(file);
  userToken = await keys.sign({ sub: 'u', role: 'authenticated', exp: Math.floor(Date.now() / 1000) + 60 });
  const metrics = createMetrics();
  const server = createHttpServer({
    log: createLogger('silent'),
    metrics,
    trustedProxies: [],
    pagesToken: 'of our pages',
  });
  const readApiKey = createApiKeyReader(apiKeys, keys);
  const scope = { service: echo, serviceOptions: {}, openPaths: ['/open'] };
  await registerApiScope(server, {
    ...scope,
    prefix: '/echo/v1',
    credentials: { readApiKey, requireApiKey: true },
  });
  await registerApiScope(server, {
    ...scope,
    prefix: '/lax/v1',
    credentials: { readApiKey, requireApiKey: false },
  });
  await registerApiScope(server, {
    ...scope,
    prefix: '/long/v1',
    service: async (server) => {
      allowLongUrls(server);
      await server.register(echo);
    },
    credentials: { readApiKey, requireApiKey: false },
  });
  server.get('/metrics', async () => metrics.registry.metrics());
  await server.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`;
  stop = () => server.close();
});
afterAll(() => stop());

/** A second server, which limits clients on the loopback; listens on a Unix socket if `path` is set. */
async function publicServer(path?: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createHttpServer({
    log: createLogger('silent'),
    metrics: createMetrics(),
    trustedProxies: [],
    limitsLoopback: true,
  });
  await registerApiScope(server, {
    prefix: '/lax/v1',
    service: echo,
    serviceOptions: {},
    openPaths: [],
    credentials: { readApiKey: createApiKeyReader(apiKeys, keys), requireApiKey: false },
  });
  await server.listen(path === undefined ? { host: '127.0.0.1', port: 0 } : { path });
  const { port } = server.server.address() as { port: number };
  return { url: path ?? `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server.close() };
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

it.each([
  ['a short text', Buffer.from('{"name":"one"}')],
  ['a text that is not ASCII', Buffer.from('{"name":"Zoë"}')],
  ['bytes that are not text', Buffer.from([0, 0xff, 0xfe, 10])],
  ['a long text', Buffer.from('x'.repeat(100_000))],
  ['an empty body', Buffer.alloc(0)],
])('sends %s unchanged', async (_, bytes) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ hex: bytes.toString('hex') });
  const response = await fetch(`${url}/lax/v1/bytes`, { method: 'POST', headers, body });
  expect(response.headers.get('content-type')).toBe('application/vnd.of+json');
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
});

describe('the API key', () => {
  it.each([
    ['a request without a key', {}, 401, 'api_key_missing'],
    ['an unknown opaque key', { apikey: 'sb_secret_guess' }, 401, 'api_key_invalid'],
    [
      'a forged JWT',
      { apikey: 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.AA' },
      401,
      'api_key_invalid',
    ],
  ])('rejects %s', async (_, headers: Record<string, string>, status, code) => {
    const response = await get('/echo/v1/who', headers);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, hint: expect.any(String) },
    ]);
  });

  it('resolves to a role, from a header or from the query', async () => {
    expect(await (await get('/echo/v1/who', { apikey: apiKeys.anon })).json()).toMatchObject({
      apiKey: { role: 'anon' },
    });
    const inQuery = await get(`/echo/v1/who?apikey=${apiKeys.secret}`);
    expect(await inQuery.json()).toMatchObject({ apiKey: { role: 'service_role' } });
  });

  it('is replaced by its JWT if it is sent as bearer token', async () => {
    const response = await get('/echo/v1/who', {
      apikey: apiKeys.publishable,
      authorization: `Bearer ${apiKeys.publishable}`,
    });
    expect(await response.json()).toEqual({
      apiKey: { role: 'anon', token: apiKeys.anon },
      bearer: apiKeys.anon,
    });
  });

  it('does not change the bearer token of a user', async () => {
    const response = await get('/echo/v1/who', {
      apikey: apiKeys.anon,
      authorization: `bearer ${userToken}`,
    });
    expect(await response.json()).toEqual({
      apiKey: { role: 'anon', token: apiKeys.anon },
      bearer: userToken,
    });
  });

  it('is not required on open paths, or if the service does not require it', async () => {
    expect((await get('/echo/v1/open')).status).toBe(200);
    expect((await get('/lax/v1/who')).status).toBe(200);
    expect((await get('/lax/v1/who', { apikey: 'anything' })).status).toBe(200);
  });
});

describe('cross-origin rules', () => {
  const preflight = (headers: Record<string, string>) =>
    fetch(`${url}/echo/v1/body`, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example', 'access-control-request-method': 'POST', ...headers },
    });

  it('allow the headers that a preflight requests, without an API key', async () => {
    const response = await preflight({ 'access-control-request-headers': 'x-my-header, apikey' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('x-my-header, apikey');
  });

  it('list headers and methods by name if a preflight requests none', async () => {
    const response = await preflight({});
    const allowed = response.headers.get('access-control-allow-headers') ?? '';
    for (const name of ['authorization', 'x-client-info', 'apikey', 'content-type'])
      expect(allowed).toContain(name);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect(response.headers.get('access-control-allow-methods')).toContain(method);
    }
  });

  it('permit a browser to read an error', async () => {
    const response = await get('/echo/v1/who', { origin: 'https://x.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('limits and errors', () => {
  it.each([
    ['a URL of 100 KB', () => get(`/echo/v1/who?x=${'a'.repeat(100_000)}`), 414, 'uri_too_long'],
    [
      'headers of 200 KB',
      () => get('/echo/v1/who', { 'x-big': 'a'.repeat(200_000) }),
      431,
      'headers_too_large',
    ],
    ['a path of invalid UTF-8', () => get('/echo/v1/%ff'), 400, 'bad_url'],
    ['an unknown path', () => get('/nothing'), 404, 'not_found'],
    ['a body of 10 MB', () => post('a'.repeat(10_000_000)), 413, 'body_too_large'],
    ['malformed JSON', () => post('{"a":'), 400, 'bad_request'],
    ['an unknown content type', () => post('x', 'application/x-unknown'), 400, 'bad_request'],
  ])('responds to %s with $2 $3', async (_, send, status, code) => {
    const response = await send();
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, message: expect.any(String) },
    ]);
  });

  it('hides the details of an unexpected error, and returns an id for the log', async () => {
    const response = await get('/echo/v1/broken', { apikey: apiKeys.anon });
    const body = await response.json();
    expect([response.status, body]).toMatchObject([500, { code: 'unexpected_failure' }]);
    expect(body.error_id).toBe(response.headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toContain('inside');
  });

  /** Sends bytes on a separate connection and returns the response. */
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end(bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  it('rejects bytes that are not HTTP with 400', async () => {
    const response = await sendRaw('\x16\x03\x01 not http\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
  });

  it.each([
    ['accepts one Host header', 'Host: a.example\r\n', 200],
    ['rejects two Host headers', 'Host: a.example\r\nhost: b.example\r\n', 400],
    ['rejects two equal Host headers', 'Host: a.example\r\nHost: a.example\r\n', 400],
  ])('%s', async (_, headers, status) => {
    const response = await sendRaw(`GET /echo/v1/open HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response.includes('"code":"several_hosts"')).toBe(status === 400);
  });

  it('has a URL limit that fits into the header limit', () => {
    expect(limits.longUrlBytes).toBeLessThan(limits.headerBytes);
  });

  it.each([
    ['/echo/v1/open', limits.urlBytes, 200],
    ['/echo/v1/open', limits.urlBytes + 1, 414],
    ['/long/v1/open', limits.urlBytes + 1, 200],
    ['/long/v1/open', limits.longUrlBytes + 1, 414],
  ])('responds to a URL of %s and %i bytes with %i', async (path, bytes, status) => {
    expect((await get(`${path}?`.padEnd(bytes, 'x'))).status).toBe(status);
  });

  it.each([
    ['/echo/v1/', 'a', limits.urlBytes],
    ['/long/v1/', 'a', limits.urlBytes],
    ['/long/v1/', '%2f', 20_000],
    ['/long/v1/', '%c3', 20_000],
    ['/long/v1/', '%', limits.urlBytes],
  ])('rejects a path of %s followed by many %s', async (path, text, count) => {
    const response = await get(path + text.repeat(count));
    expect([response.status, await response.json()]).toMatchObject([414, { code: 'uri_too_long' }]);
  });

  it('rejects a header with a long list', async () => {
    const response = await get('/echo/v1/open', { accept: 'text/a,'.repeat(2000) });
    expect([response.status, await response.json()]).toMatchObject([431, { code: 'headers_too_large' }]);
  });
});

describe('the address of a client', () => {
  const visitor = { 'x-forwarded-for': '203.0.113.7' };
  it.each([
    ['its own', {}, '127.0.0.1'],
    ['its own if a client sends another address', visitor, '127.0.0.1'],
    ['its own if the token of the pages is wrong', { ...visitor, 'x-greenroom-pages': 'guess' }, '127.0.0.1'],
    [
      'that of the visitor if the pages send it',
      { ...visitor, 'x-greenroom-pages': 'of our pages' },
      '203.0.113.7',
    ],
    [
      'its own if the pages send an invalid address',
      { 'x-forwarded-for': 'nonsense', 'x-greenroom-pages': 'of our pages' },
      '127.0.0.1',
    ],
  ])('is %s, also as X-Forwarded-For', async (_, headers: Record<string, string>, address) => {
    const { pagesToken, ...addresses } = await (await get('/lax/v1/address', headers)).json();
    expect(addresses).toEqual({ address, forwarded: address });
    // Code of the project may read the headers.
    expect(pagesToken).not.toBe('of our pages');
  });
});

describe('limits per client', () => {
  const visitor = { 'sb-forwarded-for': '203.0.113.7' };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it.each([
    ['do not apply to the loopback of a server for this machine', () => ({}), '127.0.0.1', false],
    [
      'apply to the visitor that the secret key sends',
      () => ({ ...visitor, apikey: apiKeys.secret }),
      '203.0.113.7',
      true,
    ],
    [
      'apply to the visitor that the service key sends',
      () => ({ ...visitor, ...bearer(apiKeys.serviceRole) }),
      '203.0.113.7',
      true,
    ],
    [
      'ignore a visitor that the anon key sends',
      () => ({ ...visitor, apikey: apiKeys.anon }),
      '127.0.0.1',
      false,
    ],
    ['ignore a visitor that a user sends', () => ({ ...visitor, ...bearer(userToken) }), '127.0.0.1', false],
    [
      'ignore a visitor with an invalid address',
      () => ({ 'sb-forwarded-for': 'me', apikey: apiKeys.secret }),
      '127.0.0.1',
      false,
    ],
  ])('%s', async (_, headers: () => Record<string, string>, address, isCounted) => {
    expect(await (await get('/lax/v1/counted', headers())).json()).toEqual({ address, isCounted });
  });

  it.each([
    ['apply to the loopback', () => ({}), true],
    ['do not apply to the service key', () => ({ apikey: apiKeys.secret }), false],
    ['do not apply to the service token', () => bearer(apiKeys.serviceRole), false],
    ['apply to a token with a forged service role', () => bearer(`${apiKeys.serviceRole}x`), true],
    ['apply to users', () => ({ apikey: apiKeys.anon, ...bearer(userToken) }), true],
  ])('%s of a server with a public URL', async (_, headers: () => Record<string, string>, isCounted) => {
    await using server = await publicServer();
    const response = await fetch(`${server.url}/lax/v1/counted`, { headers: headers() });
    expect(await response.json()).toEqual({ address: '127.0.0.1', isCounted });
  });

  it('do not apply to a Unix socket, whose clients have no address', async () => {
    await using server = await publicServer(join(await mkdtemp(join(tmpdir(), 'greenroom-socket-')), 'api'));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ socketPath: server.url, path: '/lax/v1/counted' }, resolve).on('error', reject).end();
    });
    const parts = await response.toArray();
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ address: '', isCounted: false });
  });
});

describe('metrics', () => {
  it('count requests by service, operation and status, without parameters and queries', async () => {
    await get('/echo/v1/who?secret=of-a-query');
    const text = await (await get('/metrics')).text();
    expect(text).toMatch(
      /greenroom_http_request_seconds_count\{service="echo",operation="\/echo\/v1\/who",method="GET",status="401"\} \d+/,
    );
    expect(text).not.toContain('of-a-query');
  });

  it('count an unknown path as a page, even if it resembles a service', async () => {
    await get('/invented/v1/who');
    await get('/echo/v1/not-there');
    const text = await (await get('/metrics')).text();
    expect(text).not.toMatch(/invented|not-there/);
    expect(text).toMatch(/service="app",operation="none",method="GET",status="404"/);
  });
});

function post(body: string, type = 'application/json'): Promise<Response> {
  return fetch(`${url}/echo/v1/body`, {
    method: 'POST',
    body,
    headers: { apikey: apiKeys.anon, 'content-type': type },
  });
}
