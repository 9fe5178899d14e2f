/** Functions that attack their server: each one is contained, and the others go on. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

/** A function that reports what an attempt led to. */
function attempt(code: string): string {
  return `Deno.serve(async (request) => {
    const input = await request.text();
    try {
      return Response.json({ result: String(await (async () => { ${code} })()) });
    } catch (error) {
      return Response.json({ error: error.name });
    }
  });`;
}

const FILES = {
  'good/index.ts': 'Deno.serve(() => new Response("good"));',
  'loop/index.ts': 'Deno.serve(() => { for (;;); });',
  'heap/index.ts': 'Deno.serve(() => { const all = []; for (;;) all.push({ a: [1, 2, 3] }); });',
  'arrays/index.ts': `Deno.serve(async () => {
    const all = [];
    for (;;) { all.push(new Uint8Array(16 * 1024 * 1024).fill(1)); await new Promise((r) => setTimeout(r, 1)); }
  });`,
  'early/index.ts': `const all = [];
    for (;;) { all.push(new Uint8Array(16 * 1024 * 1024).fill(1)); await new Promise((r) => setTimeout(r, 1)); }`,
  'disk/index.ts': `Deno.serve(async () => {
    const bytes = new Uint8Array(4 * 1024 * 1024).fill(1);
    for (let n = 0; ; n += 1) {
      Deno.writeFileSync(Deno.env.get('TMPDIR') + '/' + n % 100, bytes);
      await new Promise((r) => setTimeout(r, 20));
    }
  });`,
  'storage/index.ts': `Deno.serve(async () => {
    const storage = await caches.open('storage');
    for (let n = 0; ; n += 1) {
      await storage.put('http://x/' + n, new Response(crypto.getRandomValues(new Uint8Array(65536)).toHex().repeat(16)));
      await new Promise((r) => setTimeout(r, 20));
    }
  });`,
  'wasm/index.ts': `Deno.serve(async () => {
    const memory = new WebAssembly.Memory({ initial: 0, maximum: 65_536 });
    for (;;) {
      const start = memory.grow(256) * 65_536;
      new Uint8Array(memory.buffer, start).fill(1);
      await new Promise((r) => setTimeout(r, 1));
    }
  });`,
  'threads/index.ts': `Deno.serve(async () => {
    const code = URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)'], { type: 'text/javascript' }));
    for (let n = 0; n < 500; n += 1) { new Worker(code, { type: 'module' }); await new Promise((r) => setTimeout(r, 1)); }
    return new Response('started');
  });`,
  'spawn/index.ts': attempt("return new Deno.Command('/bin/true').outputSync().code"),
  'read/index.ts': attempt('return Deno.readTextFileSync(input)'),
  'connect/index.ts': attempt(
    "const { hostname, port } = new URL(input); const c = await Deno.connect({ hostname, port: Number(port) }); c.close(); return 'connected'",
  ),
  'fetch/index.ts': attempt('return (await fetch(input)).status'),
  'status/index.ts': attempt('return (await fetch(input)).status'),
  'remove/index.ts': attempt(
    "for (const { name } of Deno.readDirSync(Deno.env.get('TMPDIR'))) if (name.startsWith('api')) Deno.removeSync(Deno.env.get('TMPDIR') + '/' + name); return 'removed'",
  ),
  'folder/index.ts': attempt("return Deno.env.get('TMPDIR')"),
  'unix/index.ts': attempt(`
    const { kind, path } = JSON.parse(input);
    if (kind === 'Deno.connect') return (await Deno.connect({ transport: 'unix', path })).close() ?? 'connected';
    const { connect } = await import('node:net');
    return new Promise((resolve, reject) => connect(path).on('connect', () => resolve('connected')).on('error', reject));
  `),
  'signal/index.ts': attempt("Deno.kill(Number(input), 'SIGKILL'); return 'sent'"),
  'write/index.ts': attempt("Deno.writeTextFileSync(input, 'x'); return 'written'"),
  'ffi/index.ts': attempt("Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {}); return 'opened'"),
  'flood/index.ts': `Deno.serve(() => {
    for (let n = 0; n < 1_000_000; n += 1) console.log('line ' + n);
    return new Response('flooded');
  });`,
  'forge/index.ts': `Deno.serve(() => {
    const text = '{"type":"failed","error":"x"}\\n{"type":"pending","count":-5}\\n{"type":"nonsense"}\\n{"type":"log","level":"fatal","text":1}\\n';
    Deno.stdout.writeSync(new TextEncoder().encode(text));
    return new Response('forged');
  });`,
  'endless/index.ts': `Deno.serve(() => new Response(new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(1024));
      await new Promise((r) => setTimeout(r, 5));
    },
  })));`,
  'never/index.ts': 'Deno.serve(() => new Promise(() => {}));',
  'splits/index.ts': "Deno.serve(() => new Response('', { headers: { 'x-first': '1\\r\\nx-second: 2' } }));",
  // Sends the bytes of the query, without a server of HTTP.
  'raw/index.ts': `
    if (Deno.env.get('SUPABASE_URL').endsWith('.invalid')) Deno.exit(0);
    const encoder = new TextEncoder();
    const listener = Deno.listen({ transport: 'unix', path: Deno.env.get('TMPDIR') + '/function.sock' });
    Deno.stdout.writeSync(encoder.encode('{"type":"ready"}\\n'));
    for await (const connection of listener) respond(connection).catch(() => {});
    async function respond(connection) {
      const request = new Uint8Array(65_536);
      const length = await connection.read(request);
      const [, target] = new TextDecoder().decode(request.subarray(0, length)).split(' ');
      const text = decodeURIComponent(target.slice(target.indexOf('?') + 1)).replace('LONG', 'x'.repeat(32_768));
      await connection.writable.getWriter().write(encoder.encode(text));
      connection.close();
    }`,
  'crash/index.ts': `Deno.serve(() => new Response(new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('begin'));
      await new Promise((r) => setTimeout(r, 50));
      Deno.exit(1);
    },
  })));`,
};

let server: FunctionsServer;
/** Permits more processor time, and few files. */
let patient: FunctionsServer;
/** Permits a second for a response, and three for a process. */
let impatient: FunctionsServer;

beforeAll(async () => {
  const open = (settings: Record<string, string>) => FunctionsServer.open({ files: FILES, settings });
  server = await open({ GREENROOM_FUNCTIONS_CPU_MS: '300' });
  patient = await open({ GREENROOM_FUNCTIONS_DISK_MB: '64', GREENROOM_FUNCTIONS_CPU_MS: '60000' });
  impatient = await open({
    GREENROOM_FUNCTIONS_RESPONSE_SECONDS: '1',
    GREENROOM_FUNCTIONS_LIFETIME_SECONDS: '3',
  });
}, 30_000);
afterAll(async () => {
  for (const each of [server, patient, impatient]) await each?.[Symbol.asyncDispose]();
});

const send = async (name: string, body: string): Promise<unknown> =>
  (await server.call(name, { method: 'POST', body })).json();

it.each(['loop', 'arrays', 'threads'])(
  '%s ends with 546, and other functions respond meanwhile',
  async (name) => {
    const attack = server.call(name);
    expect(await (await server.call('good')).text()).toBe('good');
    const response = await attack;
    expect([response.status, await response.json()]).toEqual([
      546,
      {
        code: 'WORKER_RESOURCE_LIMIT',
        message: 'Worker failed to respond due to a resource limit (please check logs)',
      },
    ]);
  },
);

it.each(['disk', 'storage', 'wasm'])('%s without end is a 546', async (name) => {
  const response = await patient.call(name);
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([546, 'WORKER_RESOURCE_LIMIT']);
});

it('memory without end before the handler exists ends the start', async () => {
  const response = await server.call('early');
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([503, 'BOOT_ERROR']);
});

it('a heap without end is a refused request', async () => {
  expect((await server.call('heap')).status).toBeGreaterThanOrEqual(500);
  expect(await (await server.call('good')).text()).toBe('good');
});

it('a response that never comes is a 504', async () => {
  const response = await impatient.call('never');
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([504, 'IDLE_TIMEOUT']);
});

it('a response without end breaks off after the lifetime of its process', async () => {
  const response = await impatient.call('endless');
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

it.each([
  ['spawn', ''],
  ['read', '/etc/passwd'],
  ['read', '/proc/self/environ'],
  ['read', '/proc/self/mem'],
  ['read', `/proc/${process.pid}/environ`],
  ['read', `/proc/${process.pid}/mem`],
  ['write', '/proc/self/mem'],
  ['read', '/usr/bin/env'],
  ['write', '/var/tmp/greenroom-written'],
  ['signal', String(process.pid)],
  ['ffi', ''],
])('%s %s is refused', async (name, input) => {
  expect(await send(name, input)).toEqual({ error: 'NotCapable' });
});

it.each(['Deno.connect', 'node:net'])('%s reaches no socket of another function', async (kind) => {
  const { result: folder } = (await send('folder', '')) as { result: string };
  for (const path of [
    join(folder, 'function.sock'),
    join(folder, 'api.sock'),
    join(dirname(folder), 'api.sock'),
  ])
    expect(await send('unix', JSON.stringify({ kind, path })), path).toEqual({ error: expect.any(String) });
});

it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0'])(
  'a connection to %s is refused',
  async (host) => {
    const listener = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
    const { port } = listener.address() as { port: number };
    expect(await send('connect', `http://${host}:${port}`)).toEqual({ error: 'NotCapable' });
    expect(await send('fetch', `http://${host}:${port}`)).toMatchObject({ error: expect.any(String) });
    listener.close();
  },
);

it.each(['http://169.254.169.254/latest', 'http://10.0.0.1/', 'http://192.168.1.1/'])(
  '%s is refused',
  async (url) => {
    expect(await send('fetch', url)).toEqual({ error: 'NotCapable' });
  },
);

it('a million lines do not slow other functions down, and the log reports dropped output', async () => {
  const attack = server.call('flood');
  expect(await (await server.call('good')).text()).toBe('good');
  await attack;
  await expect.poll(() => server.logOf('flood').some((line) => line.includes('dropped'))).toBe(true);
  expect(server.logOf('flood').length).toBeLessThan(200_000);
});

it('a function that removes its socket to the API harms only itself', async () => {
  expect(await send('remove', '')).toEqual({ result: 'removed' });
  expect(await send('status', `${server.origin}/rest/v1/ping`)).toEqual({ result: '200' });
});

it('forged messages harm only their function', async () => {
  expect(await (await server.call('forge')).text()).toBe('forged');
  expect(await (await server.call('good')).text()).toBe('good');
});

it('a crash while a response is sent breaks that response off', async () => {
  const response = await server.call('crash');
  const pid = server.pidOf('crash');
  await expect(response.text()).rejects.toThrow();
  expect(await (await server.call('good')).text()).toBe('good');
  await expect.poll(async () => (await server.call('crash')).status).toBe(200);
  expect(server.pidOf('crash')).not.toBe(pid);
});

it.each([
  ['status 101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['status 099', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n'],
  ['status 600', 'HTTP/1.1 600 High\r\nContent-Length: 0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a line break in a header', 'HTTP/1.1 200 OK\r\nX-First: 1\rX-Second: 2\r\n\r\n'],
  ['headers of 32 KB', 'HTTP/1.1 200 OK\r\nX-First: LONG\r\n\r\n'],
  ['other bytes than HTTP', 'SSH-2.0-server\r\n'],
])('a response with %s is a 502, and the server responds on', async (_, bytes) => {
  const response = await server.call(`raw?${encodeURIComponent(bytes)}`);
  expect([response.status, await response.json()]).toEqual([
    502,
    { code: 'INVALID_RESPONSE', message: 'The function sent an invalid response (please check logs)' },
  ]);
  expect(response.headers.get('x-relay-error')).toBeNull();
  expect(await (await server.call('good')).text()).toBe('good');
});

it('a header with a line break is an exception of its function', async () => {
  const response = await server.call('splits');
  expect([response.status, response.headers.get('x-second')]).toEqual([500, null]);
});

/** Sends requests on one connection, and returns the bytes of the responses as text. */
async function sendRaw(...requests: readonly [name: string, ...headers: string[]][]): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  for (const [name, ...headers] of requests)
    socket.write([`GET /functions/v1/${name} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const WITH_SECOND_RESPONSE =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirstHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond';

it('a second response of a function reaches no client', async () => {
  const text = await sendRaw(
    [`raw?${encodeURIComponent(WITH_SECOND_RESPONSE)}`],
    ['good', 'Connection: close'],
  );
  expect(text.match(/first|second|good/g)).toEqual(['first', 'good']);
});

it('a handshake that a function answers with another response ends its connection', async () => {
  const text = await sendRaw(
    [`raw?${encodeURIComponent(WITH_SECOND_RESPONSE)}`, 'Connection: Upgrade', 'Upgrade: websocket'],
    ['good', 'Connection: close'],
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toMatch(/\r\nconnection: close\r\n/i);
  expect(text.match(/first|second|good/g)).toEqual(['first']);
});

it.runIf(process.platform === 'linux')('the filter of system calls applies to all threads', async () => {
  await server.call('good');
  const tasks = `/proc/${server.pidOf('good')}/task`;
  const states = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/status`, 'utf8'));
  expect(states.length).toBeGreaterThan(1);
  expect(states.filter((status) => !/^Seccomp:\s+2$/m.test(status))).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('each function runs as a user of its own', async () => {
  for (const name of ['good', 'forge']) await server.call(name);
  const users = new Set<string>();
  for (const name of ['good', 'forge']) {
    const pid = server.pidOf(name);
    users.add(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '');
  }
  expect(users.size).toBe(2);
  expect(users.has('0')).toBe(false);
});
