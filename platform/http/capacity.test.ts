/** Limits of one client's share of the server's connections and memory, over real sockets. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createHttpServer,
  createMetrics,
  type HttpServerOptions,
  limits,
  registerApiScope,
} from './index.ts';

let server: FastifyInstance;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function listen(options: Partial<HttpServerOptions>): Promise<void> {
  const required = { log: createLogger('silent'), metrics: createMetrics(), trustedProxies: [] };
  server = createHttpServer({ ...required, limitsLoopback: true, ...options });
  await registerApiScope(server, {
    prefix: '/echo/v1',
    service: async (scope) => {
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      scope.post('/', { bodyLimit: 2 ** 30 }, async ({ body }) => ({ bytes: (body as Buffer).length }));
    },
    serviceOptions: {},
    openPaths: [],
    credentials: { readApiKey: async () => undefined, requireApiKey: false },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
}

function open(localAddress: string): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Reads all bytes that the server sends until it closes the connection. */
async function read(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

const GET = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const head = (length: string) =>
  `POST /echo/v1/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\n${length}\r\n\r\n`;

/** Opens a connection on which the server waits for a request. */
async function openIdle(localAddress: string): Promise<Socket> {
  const socket = open(localAddress);
  const accepted = once(server.server, 'connection');
  await Promise.all([once(socket, 'connect'), accepted]);
  return socket;
}

describe('connections', () => {
  it('of one client are limited, those of others are accepted, and closed ones are not counted', async () => {
    await listen({ maxConnectionsPerClient: 2 });
    const first = await openIdle('127.0.0.2');
    await openIdle('127.0.0.2');
    const refused = await read(open('127.0.0.2'));
    expect(refused).toMatch(/^HTTP\/1.1 429 /);
    expect(refused).toContain('"code":"too_many_connections"');
    const other = open('127.0.0.3');
    other.write(GET);
    expect(await read(other)).toMatch(/^HTTP\/1.1 404 /);
    first.destroy();
    await expect
      .poll(() => {
        const again = open('127.0.0.2');
        again.write(GET);
        return read(again);
      })
      .toMatch(/^HTTP\/1.1 404 /);
  });

  it.each([
    ['of a trusted proxy', { trustedProxies: ['127.0.0.2'] }],
    ['of a trusted network', { trustedProxies: ['127.0.0.0/8'] }],
    ['of the loopback of a server for this machine', { limitsLoopback: false }],
  ])('%s are not limited', async (_, options) => {
    await listen({ maxConnectionsPerClient: 1, ...options });
    await openIdle('127.0.0.2');
    const second = open('127.0.0.2');
    second.write(GET);
    expect(await read(second)).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe('bodies in transit', () => {
  const bytes = limits.bodyBytesPerClient / 2 + 1;

  it.each([
    ['with a declared length', `content-length: ${bytes}`, 1],
    [
      'without a declared length',
      'transfer-encoding: chunked',
      limits.bodyBytesPerClient / limits.unknownBodyBytes,
    ],
  ])('of one client %s are limited, and those of others are not', async (_, length, accepted) => {
    await listen({});
    const begun = once(server.server, 'request');
    for (let count = 0; count < accepted; count += 1) {
      const request = count === 0 ? begun : once(server.server, 'request');
      open('127.0.0.2').write(head(length));
      await request;
    }
    const refused = open('127.0.0.2');
    refused.write(head(length));
    const response = await read(refused);
    expect(response).toMatch(/^HTTP\/1.1 429 /);
    expect(response.toLowerCase()).toContain('retry-after: 1');
    const other = open('127.0.0.3');
    other.write(`${head('content-length: 100000')}${'x'.repeat(100_000)}`);
    expect(await read(other)).toContain('{"bytes":100000}');
  });

  it('are not counted after their connection is closed', async () => {
    await listen({});
    const begun = once(server.server, 'request');
    const first = open('127.0.0.2');
    first.write(head(`content-length: ${bytes}`));
    await begun;
    first.destroy();
    await expect
      .poll(() => {
        const again = open('127.0.0.2');
        again.write(head(`content-length: ${bytes}`));
        again.end(Buffer.alloc(bytes));
        return read(again);
      })
      .toContain(`{"bytes":${bytes}}`);
  });
});
