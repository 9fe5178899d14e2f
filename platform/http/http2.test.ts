/** HTTP/2 of the server with HTTPS. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLogger } from '@greenroom/log';
import { listenForTest, type TestServer } from '@greenroom/testing';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from './index.ts';
import { limits } from './limits.ts';
import { createMetrics } from './metrics.ts';

const certificate = createTestCertificate();
const MAX_CONNECTIONS = 6;
const JSON_TYPE = { 'content-type': 'application/json' };
let server: TestServer;
const sessions: ClientHttp2Session[] = [];
/** Requests of `/endless` that have started, and those whose client has disconnected. */
const endless = { started: 0, ended: 0 };

beforeAll(async () => {
  server = await listenForTest(
    async (fastify) => {
      fastify.all('/echo', async ({ method, protocol, host, headers, body, raw }, reply) => {
        reply.header('set-cookie', ['a=1', 'b=2']).header('connection', 'close');
        const { remoteAddress, remotePort } = raw.socket;
        const hasAddress = remoteAddress === '127.0.0.1' && remotePort !== undefined;
        return { method, protocol, host, headers, body: body ?? null, hasAddress };
      });
      fastify.get('/stream', async (_request, reply) => reply.send(Readable.from(['one ', 'two ', 'three'])));
      fastify.get('/none', async (_request, reply) => reply.code(204).send());
      fastify.get('/endless', (request, reply) => {
        endless.started += 1;
        request.raw.socket.once('close', () => {
          endless.ended += 1;
        });
        reply.hijack();
        reply.raw.writeHead(200);
        reply.raw.write('begun');
      });
      await fastify.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
        scope.post('/size', { config: { streamsBody: true } }, async (request) => {
          let size = 0;
          for await (const chunk of request.body as Readable) size += chunk.length;
          return { size };
        });
      });
    },
    undefined,
    { tls: certificate, limitsLoopback: true, maxConnectionsPerClient: MAX_CONNECTIONS },
  );
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(() => server.close());

function openSession(url = server.url): ClientHttp2Session {
  const session = connect(url, { ca: certificate.cert });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

/** Resolves with status, headers and body. */
async function responseOf(stream: ClientHttp2Stream) {
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'] as number, headers, body: await text(stream) };
}

/** Sends a request; without a body, the headers end it. */
function send(headers: OutgoingHttpHeaders, body?: string | Buffer, session = openSession()) {
  const stream = session.request(headers, { endStream: body === undefined });
  stream.on('error', () => undefined);
  if (body !== undefined) stream.end(body);
  return stream;
}

describe('a request over HTTP/2', () => {
  it('reaches routes like one of HTTP/1.1', async () => {
    const headers = {
      ':path': '/echo?a=1',
      ':authority': 'example.org',
      host: 'other.example',
      cookie: ['c=1', 'd=2'],
      te: 'trailers',
    };
    const { status, headers: received, body } = await responseOf(send(headers));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      method: 'GET',
      protocol: 'https',
      host: 'example.org',
      headers: {
        host: 'example.org',
        cookie: 'c=1; d=2',
        connection: 'close',
        'x-forwarded-for': expect.stringMatching(/127\.0\.0\.1|::1/),
      },
      body: null,
      hasAddress: true,
    });
    expect(received['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(received['x-request-id']).toBeDefined();
    expect(received).not.toHaveProperty('connection');
  });

  it.each([
    ['a body of known length', { ...JSON_TYPE, 'content-length': 7 }, '{"a":1}', { a: 1 }],
    ['a body of unknown length', JSON_TYPE, '{"a":1}', { a: 1 }],
    ['no body', {}, undefined, null],
  ])('reaches its route with %s', async (_, headers, sent, expected) => {
    const { status, body } = await responseOf(
      send({ ':method': 'POST', ':path': '/echo', ...headers }, sent),
    );
    expect([status, JSON.parse(body).body]).toEqual([200, expected]);
    expect(JSON.parse(body).headers['transfer-encoding']).toBe(
      sent && !('content-length' in headers) ? 'chunked' : undefined,
    );
  });

  it('receives streams, and responses without a body', async () => {
    const session = openSession();
    const requests = ['GET /stream', 'HEAD /stream', 'GET /none', 'GET /absent'].map((line) => {
      const [method, path] = line.split(' ');
      return responseOf(send({ ':method': method, ':path': path }, undefined, session));
    });
    const responses = await Promise.all(requests);
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, 'one two three'],
      [200, ''],
      [204, ''],
      [404, expect.stringContaining('not_found')],
    ]);
  });

  it('can upload more than the windows of its connection', async () => {
    const body = Buffer.alloc(3 * limits.http2WindowBytes, 'x');
    const response = await responseOf(send({ ':method': 'POST', ':path': '/size' }, body));
    expect(JSON.parse(response.body)).toEqual({ size: body.length });
  });

  it.each([
    [
      'a body that is too large',
      413,
      { ':method': 'POST', ':path': '/echo', ...JSON_TYPE },
      Buffer.alloc(2 * limits.bodyBytes),
    ],
    [
      'a header that is too large',
      431,
      { ':path': '/echo', 'x-long': 'a'.repeat(limits.headerValueBytes + 1) },
    ],
    ['a URL that is too long', 414, { ':path': `/${'a'.repeat(limits.urlBytes)}` }],
    ['a method that HTTP/1.1 does not know', 400, { ':method': 'ABC', ':path': '/echo' }],
    ['malformed JSON', 400, { ':method': 'POST', ':path': '/echo', ...JSON_TYPE }, '{'],
  ])('is rejected for %s with %i', async (_, status, headers, body?: string | Buffer) => {
    const response = await responseOf(send(headers, body));
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body).code).toBeDefined();
  });

  it('ends at the server when its client cancels it', async () => {
    const stream = send({ ':path': '/endless' });
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => endless).toEqual({ started: 1, ended: 1 });
    expect((await responseOf(send({ ':path': '/none' }))).status).toBe(204);
  });
});

describe('a client', () => {
  it('gets 429 for streams above its limit of connections', async () => {
    const session = openSession();
    // The connection counts, too.
    const running = Array.from({ length: MAX_CONNECTIONS - 1 }, () =>
      send({ ':path': '/endless' }, undefined, session),
    );
    await Promise.all(running.map((stream) => once(stream, 'data')));
    const { status, headers, body } = await responseOf(send({ ':path': '/none' }, undefined, session));
    expect([status, headers['retry-after'], JSON.parse(body).code]).toEqual([
      429,
      '1',
      'too_many_connections',
    ]);
    for (const stream of running) stream.close();
    await expect
      .poll(async () => (await responseOf(send({ ':path': '/none' }, undefined, session))).status)
      .toBe(204);
  });

  it('is disconnected after too many refused streams, when its other streams have ended', async () => {
    const session = openSession();
    let goaway: number | undefined;
    session.on('goaway', (code) => {
      goaway = code;
    });
    const running = Array.from({ length: MAX_CONNECTIONS - 1 }, () =>
      send({ ':path': '/endless' }, undefined, session),
    );
    await Promise.all(running.map((stream) => once(stream, 'data')));
    for (let refused = 0; refused < limits.http2Refusals; refused += 1) {
      expect(goaway).toBeUndefined();
      expect((await responseOf(send({ ':path': '/none' }, undefined, session))).status).toBe(429);
    }
    await expect.poll(() => goaway).toBe(constants.NGHTTP2_NO_ERROR);
    expect(running.map(({ closed }) => closed)).toEqual(running.map(() => false));
    const closed = once(session, 'close');
    for (const stream of running) stream.close();
    await closed;
    await expect.poll(async () => responseOf(send({ ':path': '/none' }))).toMatchObject({ status: 204 });
  });

  it('receives the limits of streams, headers and unread bytes', async () => {
    const session = openSession();
    await once(session, 'remoteSettings');
    expect(session.remoteSettings).toMatchObject({
      maxConcurrentStreams: limits.http2Streams,
      maxHeaderListSize: limits.headerBytes,
      initialWindowSize: limits.http2StreamWindowBytes,
    });
  });

  it('is disconnected if it cancels too many streams', async () => {
    const session = openSession();
    await once(session, 'connect');
    const closed = new Promise<void>((resolve) => session.once('close', () => resolve()));
    let goaway: number | undefined;
    session.on('goaway', (code) => {
      goaway = code;
    });
    for (let sent = 0; !session.closed && sent < 10 * limits.http2Resets; sent++) {
      const stream = send({ ':path': '/endless' }, undefined, session);
      await new Promise<void>((resolve) => {
        stream.once('data', () => resolve()).once('close', () => resolve());
      });
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await closed;
    expect(goaway).not.toBe(constants.NGHTTP2_NO_ERROR);
  });
});

describe('a server', () => {
  it('aborts a body that does not arrive in time with 408', async () => {
    const slow = createHttpServer({
      log: createLogger('silent'),
      metrics: createMetrics(),
      trustedProxies: [],
      tls: certificate,
      bodyTimes: { totalMs: 50, pauseMs: 50 },
    });
    slow.post('/echo', async ({ body }) => ({ body }));
    const { port } = new URL(await slow.listen({ host: '127.0.0.1', port: 0 }));
    const stream = openSession(`https://127.0.0.1:${port}`).request(
      { ':method': 'POST', ':path': '/echo', ...JSON_TYPE },
      { endStream: false },
    );
    stream.on('error', () => undefined);
    stream.write('{');
    expect((await responseOf(stream)).status).toBe(408);
    await slow.close();
  });

  it('finishes requests when it closes, and then closes their connections', async () => {
    const closing = await listenForTest(
      async (fastify) => {
        fastify.get('/slow', async () => {
          await started.promise;
          return { done: true };
        });
      },
      undefined,
      { tls: certificate },
    );
    const started = Promise.withResolvers<void>();
    const [busy, idle] = [openSession(closing.url), openSession(closing.url)];
    await Promise.all([once(busy, 'connect'), once(idle, 'connect')]);
    const response = responseOf(send({ ':path': '/slow' }, undefined, busy));
    await responseOf(send({ ':path': '/absent' }, undefined, busy));
    const closed = closing.close();
    await once(idle, 'close');
    started.resolve();
    expect(JSON.parse((await response).body)).toEqual({ done: true });
    await closed;
  });
});
