import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpServer, createMetrics } from './index.ts';

let server: FastifyInstance;
let port: number;
let handled: number;
let finish: (() => void)[];

async function start(limitsLoopback: boolean): Promise<void> {
  server = createHttpServer({
    log: createLogger('silent'),
    metrics: createMetrics(),
    trustedProxies: [],
    limitsLoopback,
  });
  server.post('/body', async ({ body }) => ({ length: (body as Buffer).length }));
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.get('/quick', async () => 'quick');
  server.get('/slow', async () => {
    handled += 1;
    await new Promise<void>((resolve) => finish.push(resolve));
    return 'slow';
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
}

beforeEach(() => {
  handled = 0;
  finish = [];
  return start(true);
});
afterEach(() => server.close());

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Reads all bytes that the server sends until it closes the connection. */
async function read(socket: Socket): Promise<string> {
  let text = '';
  try {
    for await (const chunk of socket) text += chunk;
  } catch {
    // The connection was reset.
  }
  return text;
}

const get = (path: string, connection = 'keep-alive') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
const CHUNKED =
  'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: a/b\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
const chunks = (count: number, bytes: number) =>
  `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count);
const countOf = (text: string, part: string) => text.split(part).length - 1;

/** Whether a new connection gets a response. */
async function isServed(localAddress?: string): Promise<boolean> {
  const socket = await open(localAddress);
  socket.write(get('/quick', 'close'));
  return (await read(socket)).endsWith('quick');
}

describe('pipelined requests', () => {
  it('are handled if at most 32 wait', async () => {
    const socket = await open();
    socket.write(get('/quick').repeat(32) + get('/quick', 'close'));
    expect(countOf(await read(socket), '\r\n\r\nquick')).toBe(33);
  });

  it('may be any number over time', async () => {
    const socket = await open();
    const responses = read(socket);
    for (let round = 0; round < 5; round += 1) {
      socket.write(get('/quick').repeat(20));
      await new Promise((done) => setTimeout(done, 50));
    }
    socket.write(get('/quick', 'close'));
    expect(countOf(await responses, '\r\n\r\nquick')).toBe(101);
  });

  it('close the connection if more wait, and the rest is not handled', async () => {
    const socket = await open();
    socket.write(get('/slow').repeat(1000));
    expect(await read(socket)).toBe('');
    expect(handled).toBeLessThanOrEqual(33);
  });
});

describe('a body in chunks', () => {
  it.each([
    ['a few chunks of one byte', 200, 1],
    ['many chunks of 16 bytes', 20_000, 16],
    ['many chunks of 4 KB', 200, 4096],
  ])('is received if it has %s', async (_, count, bytes) => {
    const socket = await open();
    socket.write(`${CHUNKED}${chunks(count, bytes)}0\r\n\r\n`);
    expect(await read(socket)).toContain(`{"length":${count * bytes}}`);
  });

  it('is not received if it has thousands of chunks of one byte', async () => {
    const socket = await open();
    socket.write(`${CHUNKED}${chunks(5000, 1)}0\r\n\r\n`);
    expect(await read(socket)).toBe('');
  });
});

describe('a client that is rejected', () => {
  const violate = async (localAddress?: string) => {
    const socket = await open(localAddress);
    socket.write(`${CHUNKED}${chunks(5000, 1)}0\r\n\r\n`);
    await read(socket);
  };

  it('is rejected for a while, and others are not', async () => {
    expect(await isServed()).toBe(true);
    await violate();
    expect(await isServed()).toBe(false);
    expect(await isServed('127.0.0.2')).toBe(true);
  });

  it('loses its open connections', async () => {
    const idle = await open();
    const closed = once(idle, 'close');
    await violate();
    idle.resume();
    await closed;
  });

  it('is not rejected for a while if clients are not counted', async () => {
    await server.close();
    await start(false);
    for (let round = 0; round < 4; round += 1) await violate();
    expect(await isServed()).toBe(true);
  });
});
