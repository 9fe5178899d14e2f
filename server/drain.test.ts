import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { listenForTest } from '@greenroom/testing';
import { createTestCertificate } from '@greenroom/tls/testing';
import { expect, it } from 'vitest';
import { createDrain } from './drain.ts';

const certificate = createTestCertificate();
const upgrade = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n';

it('waits for a running request', async () => {
  let drain = async () => {};
  const arrived = Promise.withResolvers<(response: unknown) => void>();
  const { url } = await listenForTest(async (server) => {
    drain = createDrain(server);
    server.get('/slow', () => new Promise((finish) => arrived.resolve(finish)));
  });
  const response = fetch(`${url}/slow`);
  const finish = await arrived.promise;
  const drained = drain();
  finish({ done: true });
  expect(await (await response).json()).toEqual({ done: true });
  await drained;
  await expect(fetch(url)).rejects.toThrow();
});

it('does not wait for a client that keeps its connection after the response', async () => {
  let drain = async () => {};
  const arrived = Promise.withResolvers<(response: unknown) => void>();
  const { url, server: listening } = await listenForTest(async (server) => {
    // No connection is closed before the test has failed.
    drain = createDrain(server, { forceCloseMs: 600_000 });
    server.get('/slow', () => new Promise((finish) => arrived.resolve(finish)));
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const ended = once(socket, 'end');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
  const finish = await arrived.promise;
  const drained = drain();
  await expect.poll(() => listening.server.listening, { timeout: 20_000 }).toBe(false);
  finish({ large: 'x'.repeat(1_000_000) });
  await drained;
  await ended;
  expect(response).toMatch(/x"}$/);
});

it('waits until a slow client has received the whole response', async () => {
  const LENGTH = 30_000_000;
  let drain = async () => {};
  const { url, server: listening } = await listenForTest(async (server) => {
    drain = createDrain(server, { forceCloseMs: 600_000 });
    server.get('/large', async () => Buffer.alloc(LENGTH, 'x'));
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'readable');
  const drained = drain();
  await expect.poll(() => listening.server.listening, { timeout: 20_000 }).toBe(false);
  let received = 0;
  for await (const chunk of socket) received += (chunk as Buffer).length;
  await drained;
  expect(received).toBeGreaterThan(LENGTH);
});

it('does not wait for a connection without a request', async () => {
  let drain = async () => {};
  const { url, server: listening } = await listenForTest(async (server) => {
    drain = createDrain(server, { forceCloseMs: 600_000 });
  });
  const connected = once(listening.server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await connected;
  await drain();
  socket.destroy();
});

it.each([
  ['during a handshake', async (socket: Socket) => void socket.write('\x16\x03\x01')],
  [
    'without a request',
    async (socket: Socket) => {
      await once(connectSecurely({ socket, ca: certificate.cert, servername: 'localhost' }), 'secureConnect');
    },
  ],
])('does not wait for a connection of HTTPS %s', async (_, begin) => {
  let drain = async () => {};
  const { url, server: listening } = await listenForTest(
    async (server) => {
      drain = createDrain(server, { forceCloseMs: 600_000 });
    },
    undefined,
    { tls: certificate },
  );
  const connected = once(listening.server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const [accepted] = await connected;
  await begin(socket);
  await expect.poll(() => accepted.bytesRead).toBeGreaterThan(0);
  await drain();
  socket.destroy();
});

it('closes an upgraded connection that does not end', async () => {
  let drain = async () => {};
  const { url } = await listenForTest(async (server) => {
    drain = createDrain(server, { forceCloseMs: 100 });
    server.server.on('upgrade', (_request, socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    );
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(upgrade);
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await drain();
  await closed;
});
