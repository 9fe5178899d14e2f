import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createLogger } from '@greenroom/log';
import { expect, it } from 'vitest';
import { createHttpServer, createMetrics } from './index.ts';

/** Sends a request that fails; returns the errors in the log. @param isCut whether the client disconnects */
async function errorsOf(request: string, isCut: boolean): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const server = createHttpServer({ log, metrics: createMetrics(), trustedProxies: [] });
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  server.addHook('onError', async () => resolve());
  server.post('/', async () => {
    throw new Error('broken');
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request, () => isCut && socket.end());
  await failed;
  socket.destroy();
  await server.close();
  return lines.filter(({ level }) => Number(level) >= 50);
}

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

it('logs a failure as an error', async () => {
  expect(await errorsOf(`${HEAD}content-length: 2\r\n\r\n{}`, false)).toMatchObject([
    { reqId: expect.any(String), err: { message: 'broken' }, msg: 'request failed unexpectedly' },
  ]);
});

it('does not log a client that disconnects within its body as an error', async () => {
  expect(await errorsOf(`${HEAD}content-length: 100\r\n\r\n{`, true)).toEqual([]);
});
