import type { AddressInfo } from 'node:net';
import { createLogger } from '@greenroom/log';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer, createLocalFetch, createMetrics, PAGES_TOKEN_HEADER } from './index.ts';

const PAGES_TOKEN = 'of our pages';
/** Larger than the buffers that Node.js allocates together. */
const CHUNK_BYTES = 64 * 1024;
const logged: Record<string, unknown>[] = [];
const metrics = createMetrics();
const log = createLogger('info', { write: (line: string) => void logged.push(JSON.parse(line)) });
const server = createHttpServer({ log, metrics, trustedProxies: [], pagesToken: PAGES_TOKEN });
/** The number of requests that arrived over a socket. */
let overSocket = 0;
/** Resolves when the client of `GET /never` has disconnected. */
const disconnected = Promise.withResolvers<void>();
/** Number of bytes of `GET /endless` that were written when its reader ended it. */
const endlessEnded = Promise.withResolvers<number>();
let written = 0;
/** Lets `GET /flushed` send its body. */
const flushed = Promise.withResolvers<void>();
let url: string;
let local: typeof fetch;

const COMPARED_HEADERS = ['accept', 'content-length', 'content-type', 'host', 'x-two'];

const describeRequest = ({ method, url: path, headers, body, clientAddress }: FastifyRequest) => ({
  method,
  path,
  headers: Object.fromEntries(COMPARED_HEADERS.map((name) => [name, headers[name]])),
  body,
  clientAddress,
});

beforeAll(async () => {
  server.all('/echo', async (request, reply) => {
    reply.code(201).header('x-one', 'a').header('set-cookie', ['a=1', 'b=2']);
    return describeRequest(request);
  });
  server.get('/empty', async (_request, reply) => reply.code(204).send());
  server.get('/stream', async (_request, reply) => reply.send(new Response('streamed ü').body));
  server.get('/endless', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.once('close', () => endlessEnded.resolve(written));
    const write = () => {
      if (reply.raw.destroyed) return;
      written += CHUNK_BYTES;
      if (reply.raw.write(Buffer.alloc(CHUNK_BYTES, 'a'))) setImmediate(write);
      else reply.raw.once('drain', write);
    };
    write();
  });
  server.get('/flushed', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.flushHeaders();
    flushed.promise.then(() => reply.raw.end('later'));
  });
  server.get('/released', (_request, reply) => {
    reply.hijack();
    const chunk = Buffer.alloc(CHUNK_BYTES, 'a');
    reply.raw.write(chunk, () => void chunk.buffer.transfer(0));
    reply.raw.end('.');
  });
  server.get('/broken', async () => {
    throw new Error('broken');
  });
  server.get('/never', (_request, reply) => void reply.raw.once('close', () => disconnected.resolve()));
  await server.listen({ host: '127.0.0.1', port: 0 });
  server.server.on('request', () => void overSocket++);
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  local = createLocalFetch(server, url);
});
afterAll(() => server.close());

/** The parts of a response that a client reads. */
async function read(response: Response) {
  const { status, ok, headers } = response;
  return {
    status,
    ok,
    text: await response.text(),
    type: headers.get('content-type'),
    length: headers.get('content-length'),
    one: headers.get('x-one'),
    cookies: headers.getSetCookie(),
  };
}

describe('createLocalFetch', () => {
  it.each<[string, string, RequestInit]>([
    ['GET', '/echo?a=%20b', { headers: new Headers({ Accept: 'text/plain' }) }],
    [
      'POST with JSON',
      '/echo',
      { method: 'post', body: '{"a":"ü"}', headers: { 'Content-Type': 'application/json' } },
    ],
    ['POST with text', '/echo', { method: 'POST', body: 'text', headers: [['x-two', '2']] }],
    ['HEAD', '/echo', { method: 'HEAD' }],
    ['a response without a body', '/empty', {}],
    ['a streamed response', '/stream', {}],
    ['an unknown path', '/unknown', {}],
  ])('responds to %s as over the network, without a socket', async (_name, path, init) => {
    const expected = await read(await fetch(url + path, init));
    const before = overSocket;
    const actual = await read(await local(url + path, init));
    expect(overSocket).toBe(before);
    expect(actual).toEqual({ ...expected, length: expected.length === null ? null : expect.any(String) });
  });

  it('keeps a body whose memory the server releases after writing it', async () => {
    const response = await local(`${url}/released`);
    expect(await response.text()).toBe(`${'a'.repeat(CHUNK_BYTES)}.`);
  });

  it('counts and logs a request for the visitor that the pages name', async () => {
    logged.length = 0;
    const headers = { [PAGES_TOKEN_HEADER]: PAGES_TOKEN, 'x-forwarded-for': '203.0.113.9' };
    const response = await local(`${url}/echo?token=secret`, { headers });
    expect(await response.json()).toMatchObject({ clientAddress: '203.0.113.9' });
    expect(logged).toMatchObject([{ msg: 'request', method: 'GET', path: '/echo', status: 201 }]);
    expect(await metrics.registry.metrics()).toMatch(
      /_count\{service="[^"]*",operation="[^"]*",method="GET",status="201"\} \d/,
    );
  });

  it('rejects a long URL like the server', async () => {
    const response = await local(`${url}/echo?${'a'.repeat(20_000)}`);
    expect(response.status).toBe(414);
  });

  it('returns 500 without the reason of an unexpected error', async () => {
    const response = await local(`${url}/broken`);
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('broken')]);
  });

  it('rejects with the reason of an abort, and the server sees a disconnected client', async () => {
    const controller = new AbortController();
    const response = local(`${url}/never`, { signal: controller.signal });
    controller.abort(new Error('too late'));
    await expect(response).rejects.toThrow('too late');
    await disconnected.promise;
  });

  it('streams a large body no faster than its reader, and ends it with its reader', async () => {
    const response = await local(`${url}/endless`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    while (bytes < 4 * 1024 * 1024) bytes += (await reader.read()).value?.length ?? 0;
    await reader.cancel();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain']);
    expect((await endlessEnded.promise) - bytes).toBeLessThan(4 * 1024 * 1024);
  });

  it('returns a response whose headers are flushed before its body', async () => {
    const response = await local(`${url}/flushed`);
    flushed.resolve();
    expect(await response.text()).toBe('later');
  });

  it('rejects at once if the signal is aborted already', async () => {
    await expect(local(`${url}/echo`, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
  });

  it.each<[string, () => [string | Request, RequestInit]]>([
    [
      'a body that is no text',
      () => [`${url}/echo`, { method: 'POST', body: new URLSearchParams({ a: '1' }) }],
    ],
    ['a Request', () => [new Request(`${url}/echo`), {}]],
    ['another server', () => [`${url.replace('127.0.0.1', 'localhost')}/echo`, {}]],
  ])('sends %s over the network', async (_name, call) => {
    const before = overSocket;
    await local(...call()).catch(() => {});
    expect(overSocket).toBe(before + 1);
  });
});
