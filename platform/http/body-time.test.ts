import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitBodyTime } from './body-time.ts';
import { createHttpServer, createMetrics } from './index.ts';

const WHOLE_MS = 1500;
/** Longer than a busy machine may need for a chunk. */
const PAUSE_MS = 3000;

let server: FastifyInstance;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = createHttpServer({
    log: createLogger('silent'),
    metrics: createMetrics(),
    trustedProxies: [],
    bodyTimes: { totalMs: WHOLE_MS, pauseMs: PAUSE_MS },
  });
  server.post('/whole', async ({ body }) => body);
  server.post('/slow', async () => {
    await sleep(WHOLE_MS * 1.5);
    return { done: true };
  });
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/streamed', { config: { streamsBody: true } }, async ({ body }) => {
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length;
      return { bytes };
    });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Sends the head of a request, and returns functions to continue. */
function begin(path: string, bytes: number) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  return { socket, ended };
}

it.concurrent('rejects a body that has not arrived in time, even if pieces of it keep arriving', async () => {
  const { socket, ended } = begin('/whole', 1000);
  const dripping = setInterval(() => socket.write('x'), 20);
  const response = await ended;
  clearInterval(dripping);
  expect(response).toMatch(/^HTTP\/1\.1 408 request_timeout\r\n/);
  expect(response).toContain('The request timed out before it was complete');
});

it.concurrent('does not limit the total time of a streamed body', async () => {
  const chunks = 20;
  const { socket, ended } = begin('/streamed', chunks);
  for (let sent = 0; sent < chunks; sent += 1) {
    socket.write('x');
    await sleep((1.5 * WHOLE_MS) / chunks);
  }
  expect(await ended).toContain(`{"bytes":${chunks}}`);
});

it.concurrent('aborts a streamed body that has stopped arriving', async () => {
  const { socket, ended } = begin('/streamed', 2);
  socket.write('x');
  expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
});

it.concurrent('does not limit the time of the response after the body has arrived', async () => {
  const { socket, ended } = begin('/slow', 2);
  socket.write('{}');
  expect(await ended).toContain('{"done":true}');
});

it('ignores requests without a connection', async () => {
  const timedOut: unknown[] = [];
  const request = {
    headers: { 'content-length': '5' },
    socket: new EventEmitter(),
  } as unknown as IncomingMessage;
  for (const streamsBody of [true, false]) {
    limitBodyTime(request, streamsBody, { totalMs: 1, pauseMs: 1 }, (socket) => timedOut.push(socket));
  }
  await sleep(20);
  expect(timedOut).toEqual([]);
});
