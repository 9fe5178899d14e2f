/** What clients see of functions, over real sockets, with real processes of Deno. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

/** Apart, because imports of tests are checked. */
const STD_SERVE = '"https://deno.land/std@0.168.0/http/server.ts"';

const [WARN, ERROR] = [40, 50];

const FILES = {
  'echo/index.ts': `Deno.serve(async (request, { remoteAddr }) => Response.json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
    remoteAddr,
  }));`,
  'exported-and-logged/index.ts':
    'export default { fetch: () => { console.log("called"); return new Response("exported"); } };',
  'warnings/index.ts': `
    import process from "node:process";
    process.emitWarning('The \`punycode\` module is deprecated.', 'DeprecationWarning', 'DEP0040');
    process.emitWarning('a package says', 'Careful');
    Deno.serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      Deno.stderr.writeSync(new TextEncoder().encode('a failure\\n'));
      return new Response('ok');
    });`,
  'exported/index.ts': 'export default { fetch: () => new Response("exported") };',
  'std/index.ts': `import { serve } from ${STD_SERVE};
    serve(() => new Response('std'));`,
  'options/index.ts': `Deno.serve({ port: 8000, onListen() {}, onError: () => new Response('caught', { status: 418 }) }, () => {
    throw new Error('x');
  });`,
  'throws/index.ts': 'Deno.serve(() => { throw new Error("secret detail"); });',
  'answer/index.ts': `Deno.serve((request) => {
    const url = new URL(request.url);
    const headers = new Headers({ 'content-type': url.searchParams.get('type') ?? 'text/plain' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    return new Response(request.method === 'HEAD' ? null : '<p>', { status: Number(url.searchParams.get('status') ?? 200), headers });
  });`,
  'environment/index.ts': 'Deno.serve(() => Response.json(Deno.env.toObject()));',
  'syntax/index.ts': 'const = 1;',
  'missing/index.ts': 'import "./nothing.ts";',
  'silent/index.ts': 'export const x = 1;',
  'main/index.ts': 'if (import.meta.main) Deno.serve(() => new Response("main"));',
  'exits/index.ts': 'Deno.serve(() => Deno.exit(3));',
  'streams/index.ts': `Deno.serve(() => {
    let timer;
    const body = new ReadableStream({
      start(controller) {
        let n = 0;
        timer = setInterval(() => controller.enqueue(new TextEncoder().encode('data: ' + n++ + '\\n\\n')), 20);
      },
      cancel() { clearInterval(timer); console.log('cancelled'); },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });`,
  'socket/index.ts': `Deno.serve((request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send('you said ' + data);
    return response;
  });`,
  'own-api/index.ts': `Deno.serve(async () => {
    const response = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/ping', {
      headers: { apikey: Deno.env.get('SUPABASE_ANON_KEY') },
    });
    return Response.json(await response.json());
  });`,
  'logs/index.ts': `Deno.serve(() => { console.log('one', { two: 2 }); console.error('three'); return new Response('ok'); });`,
  'temporary/index.ts': `Deno.serve(async () => new Response(await Deno.makeTempFile()));`,
  'hosted-temporary/index.ts': `Deno.serve(async () => {
    await Deno.mkdir('/tmp/uploads');
    await Deno.writeTextFile('/tmp/uploads/a.txt', 'kept');
    Deno.renameSync('/tmp/uploads/a.txt', '/tmp/b.txt');
    return Response.json([Deno.readTextFileSync(new URL('file:///tmp/b.txt')), await Deno.realPath('/tmp/b.txt')]);
  });`,
  'late/index.ts': `Deno.serve(() => {
    EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(() => { console.log('late work'); resolve(); }, 300)));
    return new Response('early');
  });`,
};

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({
    files: FILES,
    secrets: { MY_SECRET: 'shh', SUPABASE_URL: 'http://other' },
  });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

it('a function sees the request with its external URL', async () => {
  const response = await server.call('echo/a%20b?x=1&x=2', {
    method: 'POST',
    body: 'text',
    headers: { 'x-own': '1', authorization: 'Basic abc', 'x-forwarded-for': '203.0.113.7' },
  });
  const seen = (await response.json()) as { headers: Record<string, string>; remoteAddr: object };
  expect(seen).toMatchObject({
    method: 'POST',
    url: `${server.origin}/echo/a%20b?x=1&x=2`,
    body: 'text',
    remoteAddr: { transport: 'tcp', hostname: '127.0.0.1' },
  });
  expect(seen.headers).toMatchObject({
    'x-own': '1',
    authorization: 'Basic abc',
    'content-type': 'text/plain;charset=UTF-8',
    // The address of the connection, not what the client says.
    'x-forwarded-for': '127.0.0.1',
  });
  expect(Object.keys(seen.headers).filter((name) => name.startsWith('x-greenroom'))).toEqual([]);
});

it.each([
  ['exported', 'exported', 200],
  ['std', 'std', 200],
  ['main', 'main', 200],
  ['options', 'caught', 418],
])('function %s serves its handler', async (name, text, status) => {
  const response = await server.call(name);
  expect([response.status, await response.text()]).toEqual([status, text]);
});

it('an exception of a handler is a 500 without details, and the process lives on', async () => {
  for (let count = 0; count < 2; count += 1) {
    const response = await server.call('throws');
    expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error']);
  }
  expect(server.logOf('throws').join('\n')).toContain('secret detail');
});

it('status, cookies and content type pass through', async () => {
  const response = await server.call('answer?status=201&type=application/pdf');
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

it.each(['text/html', 'image/svg+xml'])('%s is sent as plain text', async (type) => {
  const response = await server.call(`answer?type=${encodeURIComponent(type)}`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

it('the environment has what the hosted platform provides and secrets, and nothing else', async () => {
  const environment = (await (await server.call('environment')).json()) as Record<string, string>;
  expect(Object.keys(environment).sort()).toEqual([
    'MY_SECRET',
    'SB_EXECUTION_ID',
    'SB_REGION',
    'SUPABASE_ANON_KEY',
    'SUPABASE_JWKS',
    'SUPABASE_PUBLISHABLE_KEYS',
    'SUPABASE_SECRET_KEYS',
    'SUPABASE_SERVICE_ROLE_KEY',
    'SUPABASE_URL',
    'TMPDIR',
  ]);
  expect(environment).toMatchObject({ MY_SECRET: 'shh', SUPABASE_URL: server.origin });
});

it.each([
  ['nothing', 404, 'NOT_FOUND'],
  ['', 404, 'NOT_FOUND'],
  ['_shared', 404, 'NOT_FOUND'],
  ['syntax', 503, 'BOOT_ERROR'],
  ['missing', 503, 'BOOT_ERROR'],
  ['silent', 503, 'BOOT_ERROR'],
  ['exits', 500, 'WORKER_ERROR'],
])('/%s is refused with %i %s, which pages can read', async (name, status, code) => {
  const response = await server.call(name, { headers: { origin: 'http://page' } });
  expect([response.status, await response.json()]).toEqual([status, { code, message: expect.any(String) }]);
  expect(response.headers.get('sb-error-code')).toBe(code);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toMatch(/sb-error-code.*x-relay-error/);
});

it('a preflight reaches the function', async () => {
  const response = await server.call('echo', {
    method: 'OPTIONS',
    headers: { origin: 'http://page', 'access-control-request-method': 'POST' },
  });
  expect(await response.json()).toMatchObject({ method: 'OPTIONS' });
});

it.each(['nothing', 'syntax'])(
  'a preflight of /%s succeeds, so that a page can read the error',
  async (name) => {
    const response = await server.call(name, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://page',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('apikey');
  },
);

it('a stream arrives as it is written, and ends for the function when the client leaves', async () => {
  const leaving = new AbortController();
  const response = await server.call('streams', { signal: leaving.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toContain('data: 0');
  leaving.abort();
  await expect.poll(() => server.logOf('streams')).toEqual(['cancelled']);
});

it('a WebSocket reaches the function', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/socket`);
  const answer = Promise.withResolvers<unknown>();
  socket.onopen = () => socket.send('hello');
  socket.onmessage = ({ data }) => answer.resolve(data);
  socket.onerror = () => answer.reject(new Error('the socket failed'));
  expect(await answer.promise).toBe('you said hello');
  socket.close();
});

it('a function reaches the API of its instance', async () => {
  expect(await (await server.call('own-api')).json()).toEqual({ apikey: server.apiKeys.anon });
});

it('the log has what a function prints, with the id of the request', async () => {
  const response = await server.call('logs');
  const id = response.headers.get('x-request-id');
  await expect.poll(() => server.logOf('logs')).toEqual(['one { two: 2 }', 'three']);
  expect(
    server.lines.filter((line) => line.function === 'logs' && !line.pid).map(({ reqId }) => reqId),
  ).toEqual([id, id]);
});

it('the log has nothing about a default export with fetch, which functions may have', async () => {
  expect(await (await server.call('exported-and-logged')).text()).toBe('exported');
  await expect.poll(() => server.logOf('exported-and-logged')).toEqual(['called']);
});

it('the log has warnings of the runtime and of packages at level warn, and errors at level error', async () => {
  expect((await server.call('warnings')).status).toBe(200);
  await expect.poll(() => server.logOf('warnings')).toContain('a failure');
  const lines = server.lines.filter((line) => line.function === 'warnings' && !line.pid);
  expect(lines.map(({ level, msg }) => [level, msg.replace(/node:\d+/, 'node:1')])).toEqual([
    [WARN, '(node:1) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
    [WARN, '(node:1) Careful: a package says'],
    [ERROR, 'a failure'],
  ]);
});

it('a process ends only when the promises of waitUntil have settled', async () => {
  await server.call('late');
  await server.write('late/index.ts', 'Deno.serve(() => new Response("new"));');
  await expect.poll(async () => (await server.call('late')).text()).toBe('new');
  await expect.poll(() => server.logOf('late')).toContain('late work');
});

it('the folder of a process ends with it', async () => {
  const path = await (await server.call('temporary')).text();
  expect(existsSync(path)).toBe(true);
  await server.write('temporary/index.ts', 'Deno.serve(() => new Response("gone"));');
  await expect.poll(async () => (await server.call('temporary')).text()).toBe('gone');
  await expect.poll(() => existsSync(path)).toBe(false);
});

it('/tmp is the folder of the process', async () => {
  const [text, path] = (await (await server.call('hosted-temporary')).json()) as string[];
  expect([text, path === '/tmp/b.txt', existsSync('/tmp/b.txt')]).toEqual(['kept', false, false]);
});

it('a change of a file is served', async () => {
  await server.write('exported/index.ts', 'export default { fetch: () => new Response("changed") };');
  await expect.poll(async () => (await server.call('exported')).text()).toBe('changed');
});

it('a new function is served, and a broken one recovers', async () => {
  await server.write('fresh/index.ts', 'Deno.serve(() => new Response("fresh"));');
  await expect.poll(async () => (await server.call('fresh')).text()).toBe('fresh');
  await server.write('syntax/index.ts', 'Deno.serve(() => new Response("mended"));');
  await expect.poll(async () => (await server.call('syntax')).text()).toBe('mended');
});

it('an unknown method is refused', async () => {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  socket.end('TRACE /functions/v1/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 405 /);
});
