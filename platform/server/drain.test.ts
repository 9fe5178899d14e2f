import { once } from 'node:events';
import { connect } from 'node:net';
import { listenForTest } from '@greenroom/testing';
import { expect, it } from 'vitest';
import { createDrain } from './drain.ts';

const upgrade = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n';

it('lets a running request finish', async () => {
  let drain = async () => {};
  const arrived = Promise.withResolvers<(answer: unknown) => void>();
  const { url } = await listenForTest(async (server) => {
    drain = createDrain(server);
    server.get('/slow', () => new Promise((finish) => arrived.resolve(finish)));
  });
  const answer = fetch(`${url}/slow`);
  const finish = await arrived.promise;
  const drained = drain();
  finish({ done: true });
  expect(await (await answer).json()).toEqual({ done: true });
  await drained;
  await expect(fetch(url)).rejects.toThrow();
});

it('cuts off an upgraded connection that never ends', async () => {
  let drain = async () => {};
  const { url } = await listenForTest(async (server) => {
    drain = createDrain(server, 100);
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
