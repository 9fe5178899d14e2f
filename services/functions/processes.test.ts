/** The processes of functions: when they start, how they are replaced, their limits, and their output. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

const ID = 'Deno.serve(() => new Response(Deno.env.get("SB_EXECUTION_ID")));';

/** A function that logs the first part of a body, and responds with all of it when it has arrived. */
const READS = `Deno.serve(async (request) => {
  let text = '';
  for await (const part of request.body.pipeThrough(new TextDecoderStream())) {
    if (text === '') console.log('first part: ' + part);
    text += part;
  }
  return new Response('former version: ' + text);
});`;

/** A function that logs the reason for the end of its process. */
const ANNOUNCED = `addEventListener('beforeunload', ({ detail }) => console.log('ends: ' + detail.reason));
  ${ID}`;

/** A function whose request ends with that of its client. */
const HOLDS = `Deno.serve(({ signal }) => {
  console.log('holds');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Response())));
});`;

const FILES = {
  'warm/index.ts': ID,
  'unused/index.ts': ID,
  'reads/index.ts': READS,
  'announced/index.ts': ANNOUNCED,
  'methods/index.ts': 'Deno.serve(({ method }) => new Response(null, { headers: { "x-method": method } }));',
  'long/index.ts': `Deno.serve(() => { console.log('x'.repeat(20_000)); return new Response('ok'); });`,
  'unreachable/index.ts': `Deno.serve(() => {
    const folder = Deno.env.get('TMPDIR');
    try { Deno.removeSync(folder + '/function.sock'); } catch {}
    return new Promise((resolve) => setTimeout(() => resolve(new Response('ok')), 100));
  });`,
};

let server: FunctionsServer;
/** Has low limits. */
let limited: FunctionsServer;

beforeAll(async () => {
  server = await FunctionsServer.open({ files: FILES });
  limited = await FunctionsServer.open({
    files: { 'holds/index.ts': HOLDS, 'other/index.ts': ID },
    settings: {
      GREENROOM_FUNCTIONS_MAX_BODY_MB: '1',
      GREENROOM_FUNCTIONS_MAX_PROCESSES: '1',
      GREENROOM_FUNCTIONS_MAX_REQUESTS: '2',
    },
  });
}, 30_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

const textOf = async (name: string, from = server) => (await from.call(name)).text();
const refusal = async (response: Promise<Response>) => {
  const { status, headers } = await response;
  return [status, headers.get('sb-error-code')];
};

it('a function has no process before its first request, and one that serves all of them', async () => {
  const starts = () => server.lines.filter((line) => line.function === 'warm' && line.pid !== undefined);
  expect(starts()).toEqual([]);
  const ids = await Promise.all(Array.from({ length: 40 }, () => textOf('warm')));
  expect(new Set(ids).add(await textOf('warm')).size).toBe(1);
  expect(starts()).toHaveLength(1);
  expect([typeof server.pidOf('warm'), server.pidOf('unused')]).toEqual(['number', undefined]);
});

it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s reaches a function',
  async (method) => {
    expect((await server.call('methods', { method })).headers.get('x-method')).toBe(method);
  },
);

it('a body arrives as it is sent, and its request is finished by the version that received it', async () => {
  const body = new TransformStream<string, Uint8Array>({
    transform: (text, controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  const writer = body.writable.getWriter();
  const response = server.call('reads', {
    method: 'POST',
    body: body.readable,
    duplex: 'half',
  } as RequestInit);
  await writer.write('one');
  await expect.poll(() => server.logOf('reads')).toEqual(['first part: one']);
  await server.write('reads/index.ts', 'Deno.serve(() => new Response("new version"));');
  await expect.poll(() => textOf('reads')).toBe('new version');
  await writer.write(', two');
  await writer.close();
  expect(await (await response).text()).toBe('former version: one, two');
});

it('beforeunload announces a replaced process', async () => {
  await textOf('announced');
  await server.write('announced/index.ts', `${ANNOUNCED} // changed`);
  await expect.poll(() => server.logOf('announced')).toContain('ends: early_drop');
});

it('a process is replaced after its lifetime', async () => {
  await using shortLived = await FunctionsServer.open({
    files: { 'announced/index.ts': ANNOUNCED },
    settings: { GREENROOM_FUNCTIONS_LIFETIME_SECONDS: '1' },
  });
  const first = await textOf('announced', shortLived);
  await expect.poll(() => textOf('announced', shortLived), { timeout: 10_000 }).not.toBe(first);
  expect(shortLived.logOf('announced')[0]).toBe('ends: wall_clock');
});

it('a process ends after some time without requests', async () => {
  await using impatient = await FunctionsServer.open({
    files: { 'announced/index.ts': ANNOUNCED },
    settings: { GREENROOM_FUNCTIONS_IDLE_SECONDS: '1' },
  });
  await textOf('announced', impatient);
  const pid = impatient.pidOf('announced') ?? 0;
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  expect(impatient.logOf('announced')).toContain('ends: early_drop');
});

it('a body beyond the limit is a 413', async () => {
  const body = new Uint8Array(1024 * 1024 + 1);
  expect(await refusal(limited.call('other', { method: 'POST', body }))).toEqual([413, 'BODY_TOO_LARGE']);
});

it('a process beyond the limit is a 503, and a request beyond it a 429', async () => {
  const leaving = new AbortController();
  const hold = () => limited.call('holds', { signal: leaving.signal }).catch(() => undefined);
  const held = [hold()];
  await expect.poll(() => limited.logOf('holds')).toHaveLength(1);
  expect(await refusal(limited.call('other'))).toEqual([503, 'WORKER_LIMIT']);
  held.push(hold());
  await expect.poll(() => limited.logOf('holds')).toHaveLength(2);
  expect(await refusal(limited.call('holds'))).toEqual([429, 'TOO_MANY_REQUESTS']);
  leaving.abort();
  await Promise.all(held);
  await expect.poll(() => refusal(limited.call('other'))).toEqual([200, null]);
});

it('a process that cannot be reached is a 502 of the relay', async () => {
  await textOf('unreachable');
  const responses = await Promise.all(Array.from({ length: 3 }, () => server.call('unreachable')));
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect([status, headers.get('sb-error-code')]).toEqual([502, 'RELAY_ERROR']);
    expect(headers.get('x-relay-error')).toBe('true');
  }
});

it('a line of the log ends after 10,000 characters', async () => {
  await textOf('long');
  await expect.poll(() => server.logOf('long').map(({ length }) => length)).toEqual([10_000]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
