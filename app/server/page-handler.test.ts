import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { PageOptions } from '../lib/page/page-options.ts';
import type { PageRouter, Visit } from '../session/page-build.ts';
import { MAX_FILE_FORM_BYTES, MAX_FORM_BYTES, MAX_JSON_BYTES } from './form-body.ts';
import { pageHandler } from './page-handler.ts';

const FORM = 'application/x-www-form-urlencoded';
let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** Serves a router on a real socket; returns its origin. */
async function serve(
  router: PageRouter,
  publicUrl?: string,
  clientKeys: readonly string[] = [],
): Promise<string> {
  const location = { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' };
  const options = { publicUrl, publicApiUrl: undefined, location } as PageOptions;
  const icons = { ready: undefined, symbolOf: () => undefined };
  const handle = pageHandler(router, { options, icons, isDevelopment: false });
  server = createServer((request, response) => {
    const { host } = request.headers;
    void handle(request, response, {
      requestId: 'req-1',
      clientAddress: '127.0.0.1',
      protocol: 'http',
      clientKeys,
      host,
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Responds with the request that reached the router. */
const echo: PageRouter = async (request, visit) =>
  Response.json({
    method: request.method,
    url: request.url,
    body: request.method === 'POST' ? await request.text() : null,
    refusal: visit.refusal?.status ?? null,
    origin: visit.origin,
  });

/** Sends bytes unchanged; returns the response as text. */
async function sendRaw(origin: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.end(text);
  let response = '';
  for await (const chunk of socket) response += chunk;
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}

describe('the request for the router', () => {
  const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': FORM, ...headers },
  });

  it.each<[string, string, RequestInit, object]>([
    ['a page', '/a?b=c', {}, { method: 'GET', refusal: null }],
    ['a form', '/a', post('x=1'), { method: 'POST', body: 'x=1', refusal: null }],
    [
      'a form with a charset',
      '/a',
      post('x=1', { 'content-type': `${FORM}; charset=UTF-8` }),
      { refusal: null },
    ],
    ['a form of the largest size', '/a', post('x'.repeat(MAX_FORM_BYTES)), { refusal: null }],
    ['a form that is too large', '/a', post('x'.repeat(MAX_FORM_BYTES + 1)), { refusal: 413, body: '' }],
    ['JSON', '/a', post('{}', { 'content-type': 'application/json' }), { refusal: 415 }],
    [
      'JSON for a route that accepts it',
      '/admin/tables/rows',
      post('{}', { 'content-type': 'application/json' }),
      { refusal: null },
    ],
    [
      'JSON that is too large',
      '/admin/tables/rows',
      post('x'.repeat(MAX_JSON_BYTES + 1), { 'content-type': 'application/json' }),
      { refusal: 413, body: '' },
    ],
    [
      'JSON of another site',
      '/admin/tables/rows',
      post('{}', { 'content-type': 'application/json', origin: 'https://evil.example' }),
      { refusal: 403, body: '' },
    ],
    [
      'a form with files',
      '/a',
      post('x', { 'content-type': 'multipart/form-data; boundary=x' }),
      { refusal: 415 },
    ],
    [
      'a form with files for a page that accepts them',
      '/?with-files',
      post('x'.repeat(MAX_FORM_BYTES + 1), { 'content-type': 'multipart/form-data; boundary=x' }),
      { refusal: null },
    ],
    [
      'a form with files for another page',
      '/a?with-files',
      post('x', { 'content-type': 'multipart/form-data; boundary=x' }),
      { refusal: 415 },
    ],
    [
      'a form with files that is too large',
      '/?with-files',
      post('x'.repeat(MAX_FILE_FORM_BYTES + 1), { 'content-type': 'multipart/form-data; boundary=x' }),
      { refusal: 413, body: '' },
    ],
    [
      'a form of another site',
      '/a',
      post('x=1', { origin: 'https://evil.example' }),
      { refusal: 403, body: '' },
    ],
    ['a form of an opaque origin', '/a', post('x=1', { origin: 'null' }), { refusal: 403 }],
    ['PUT', '/a', { method: 'PUT', body: 'x' }, { method: 'GET', refusal: 405 }],
    ['DELETE', '/a', { method: 'DELETE' }, { method: 'GET', refusal: 405 }],
    ['a path that is not UTF-8', '/%ff', {}, { refusal: 400 }],
    ['an invalid escape', '/100%', {}, { refusal: 400 }],
  ])('is passed on or rejected for %s', async (_name, path, init, expected) => {
    const origin = await serve(echo);
    expect(await (await fetch(origin + path, init)).json()).toMatchObject(expected);
  });

  it('contains a form of unknown length only up to the limit', async () => {
    const origin = await serve(echo);
    const chunk = `${(1024).toString(16)}\r\n${'x'.repeat(1024)}\r\n`;
    const head = `POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = await sendRaw(origin, `${head}${chunk.repeat(MAX_FORM_BYTES / 1024 + 1)}0\r\n\r\n`);
    expect(response).toContain('"refusal":413');
  });

  const files = `POST /?with-files HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=x\r\n`;

  it('contains a form with files before its body is received', async () => {
    const origin = await serve(async ({ body }) => Response.json({ isThere: body !== null }));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    // The body is never sent.
    socket.write(`${files}Content-Length: 1000000\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('{"isThere":true}');
    socket.destroy();
  });

  it('contains a form with files only up to its limit', async () => {
    const origin = await serve(async (request) =>
      Response.json(await request.text().catch(({ code, limit }) => ({ code, limit }))),
    );
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const response = await sendRaw(
      origin,
      `${files}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(MAX_FILE_FORM_BYTES / 65_536 + 1)}0\r\n\r\n`,
    );
    expect(response).toContain(JSON.stringify({ code: 'form_too_large', limit: MAX_FILE_FORM_BYTES }));
  });

  it.each([
    [
      'GET http://evil.example/a?b HTTP/1.1',
      'Host: app.example',
      { url: 'http://app.example/a?b', refusal: null },
    ],
    [
      'GET //evil.example/a HTTP/1.1',
      'Host: app.example',
      { url: 'http://app.example//evil.example/a', refusal: null },
    ],
    ['OPTIONS * HTTP/1.1', 'Host: app.example', { method: 'GET', refusal: 400 }],
    ['GET / HTTP/1.0', 'X-None: 1', { url: 'http://localhost/', refusal: 400 }],
    ['GET / HTTP/1.1', 'Host: app.example/path', { url: 'http://localhost/', refusal: 400 }],
    ['GET / HTTP/1.1', 'Host: user@app.example', { url: 'http://localhost/', refusal: 400 }],
    ['GET / HTTP/1.1', 'Host: a b', { url: 'http://localhost/', refusal: 400 }],
  ])('is passed on or rejected for %s with %s', async (line, header, expected) => {
    const origin = await serve(echo);
    const response = await sendRaw(origin, `${line}\r\n${header}\r\nConnection: close\r\n\r\n`);
    expect(response).toContain(JSON.stringify(expected).slice(1, -1).split(',"refusal"')[0]);
    expect(response).toContain(`"refusal":${expected.refusal}`);
  });

  it('contains the public origin', async () => {
    const origin = await serve(echo, 'https://app.example/');
    expect(await (await fetch(`${origin}/a`)).json()).toMatchObject({ origin: 'https://app.example' });
  });
});

describe('the response', () => {
  it.each([
    [undefined, false, ''],
    ['https://app.example', true, ' app.example/assets/'],
  ])('has security headers for the site %s', async (publicUrl, isHttps, siteScripts) => {
    const origin = await serve(async () => new Response('x'), publicUrl);
    const { headers } = await fetch(origin);
    const policy = headers.get('content-security-policy');
    const scripts = `script-src ${new URL(origin).host}/assets/${siteScripts} 'nonce-`;
    expect(policy?.slice(policy.indexOf('script-src')).slice(0, scripts.length)).toBe(scripts);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.has('strict-transport-security')).toBe(isHttps);
  });

  it('has a unique nonce that the page contains', async () => {
    const nonces: string[] = [];
    const origin = await serve(async (_request, { nonce }) => {
      nonces.push(nonce);
      return new Response();
    });
    const policies = [await fetch(origin), await fetch(origin)].map(({ headers }) =>
      headers.get('content-security-policy'),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(policies.map((policy, index) => policy?.includes(`'nonce-${nonces[index]}'`))).toEqual([
      true,
      true,
    ]);
  });

  it('lists the methods that pages support', async () => {
    const origin = await serve(async () => new Response(null, { status: 405 }));
    expect((await fetch(origin, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('is the written page with its cookies and cache headers', async () => {
    const origin = await serve(async (_request, visit) => {
      visit.page = (destination) => {
        destination.write('<p>one');
        setImmediate(() => destination.end('two'));
      };
      const headers = new Headers({ 'cache-control': 'private, no-store' });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      return new Response(null, { status: 201, headers });
    });
    const response = await fetch(origin);
    expect([response.status, await response.text()]).toEqual([201, '<p>onetwo']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each<[string, string | Uint8Array]>([
    ['text', '<p>ü</p>'],
    ['bytes', Buffer.from('<p>ü</p>')],
  ])('is a whole page of %s with its length', async (_name, page) => {
    const origin = await serve(async (_request, visit) => {
      visit.page = page;
      return new Response(null, { status: 200 });
    });
    const response = await fetch(origin);
    expect(await response.text()).toBe('<p>ü</p>');
    expect(response.headers.get('content-length')).toBe('9');
    expect(response.headers.get('transfer-encoding')).toBeNull();
  });

  it('has no body for HEAD', async () => {
    const origin = await serve(async (_request, visit) => {
      visit.page = (destination) => void destination.end('page');
      return new Response(null, { status: 404 });
    });
    const response = await fetch(origin, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it('is a plain page with the request id if nothing could be rendered', async () => {
    const origin = await serve(async () => new Response(null, { status: 500 }));
    const response = await fetch(origin);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<h1>Internal Server Error</h1>');
    expect(text).toContain('req-1');
  });
});

it('aborts the request when the visitor disconnects', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<Visit>();
  const origin = await serve(async (request, visit) => {
    request.signal.addEventListener('abort', () => leave());
    arrive(visit);
    await left;
    return new Response('too late');
  });
  const visitor = new AbortController();
  const pending = fetch(origin, { signal: visitor.signal });
  await arrived;
  visitor.abort();
  await expect(pending).rejects.toThrow();
  await left;
});

describe('a visitor with too many requests', () => {
  it('gets a 429 page with advice while other visitors wait for their turn', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let running = 0;
    const origin = await serve(
      async () => {
        running += 1;
        await promise;
        return new Response('page');
      },
      undefined,
      ['net:203.0.113.7'],
    );
    const responses = Array.from({ length: 64 }, () => fetch(origin));
    const refused = await Promise.race(responses);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.text()).toContain('Wait a moment and try again.');
    expect(running).toBe(3);
    resolve();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(63);
  });
});
