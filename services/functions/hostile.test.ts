/** Functions that attack their server: each one is contained, and the others go on. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
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
  'signal/index.ts': attempt("Deno.kill(Number(input), 'SIGKILL'); return 'sent'"),
  'parent/index.ts': attempt('return Deno.ppid'),
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
  'crash/index.ts': `Deno.serve(() => new Response(new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('begin'));
      await new Promise((r) => setTimeout(r, 50));
      Deno.exit(1);
    },
  })));`,
};

let server: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({
    files: FILES,
    settings: { GREENROOM_FUNCTIONS_CPU_MS: '300' },
  });
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

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

it.each(['disk', 'storage'])('%s without end is a 546', async (name) => {
  await using small = await FunctionsServer.open({
    files: FILES,
    settings: { GREENROOM_FUNCTIONS_DISK_MB: '64', GREENROOM_FUNCTIONS_CPU_MS: '60000' },
  });
  const response = await small.call(name);
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
  await using impatient = await FunctionsServer.open({
    files: { 'never/index.ts': 'Deno.serve(() => new Promise(() => {}));' },
    settings: { GREENROOM_FUNCTIONS_RESPONSE_SECONDS: '1' },
  });
  const response = await impatient.call('never');
  expect([response.status, response.headers.get('sb-error-code')]).toEqual([504, 'IDLE_TIMEOUT']);
});

it.each([
  ['spawn', ''],
  ['read', '/etc/passwd'],
  ['read', '/proc/self/environ'],
  ['read', `/proc/${process.pid}/environ`],
  ['read', '/usr/bin/env'],
  ['write', '/var/tmp/greenroom-written'],
  ['signal', String(process.pid)],
  ['ffi', ''],
])('%s %s is refused', async (name, input) => {
  expect(await send(name, input)).toEqual({ error: 'NotCapable' });
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
  await expect(response.text()).rejects.toThrow();
  expect(await (await server.call('good')).text()).toBe('good');
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
