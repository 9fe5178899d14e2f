import { once } from 'node:events';
import { request as send } from 'node:http';
import { listenForTest, type TestServer } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await listenForTest(async (fastify) => {
    fastify.upgrades.accept('/socket');
    fastify.get('/socket', async (request, reply) => {
      const upgrade = fastify.upgrades.of(request);
      if (upgrade === undefined) return reply.code(426).send({ error: 'a handshake is wanted' });
      if (request.query && 'refuse' in (request.query as object))
        return reply.code(401).send({ error: 'no' });
      reply.hijack();
      upgrade.detach();
      upgrade.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nhello',
      );
    });
    fastify.get('/other', async () => 'an answer');
  });
});
afterAll(() => server.close());

function request(path: string, upgrade = 'websocket') {
  const headers = { connection: 'upgrade', upgrade };
  return send(server.url + path, { headers }).end();
}

async function responseOf(path: string, upgrade?: string) {
  const [response] = await once(request(path, upgrade), 'response');
  response.setEncoding('utf8');
  const body = (await response.toArray()).join('');
  return [response.statusCode, body, response.headers.connection];
}

describe('a handshake', () => {
  it('is routed like a request, which may detach the connection', async () => {
    const [response, socket, head] = await once(request('/socket?a=1'), 'upgrade');
    socket.setEncoding('utf8');
    expect(response.statusCode).toBe(101);
    expect(head.toString() + (await socket.toArray()).join('')).toBe('hello');
  });

  it('is rejected by an HTTP response', async () => {
    expect(await responseOf('/socket?refuse')).toEqual([401, '{"error":"no"}', 'close']);
  });

  it.each([
    ['/other', 'websocket', 200],
    ['/other', 'h2c', 200],
    ['/socket', 'h2c', 426],
    ['/nowhere', 'websocket', 404],
  ])('to %s for %s is handled like any other request, with status %i', async (path, upgrade, status) => {
    expect((await responseOf(path, upgrade))[0]).toBe(status);
  });

  it('is left to other listeners', async () => {
    const other = (_request: unknown, socket: { end(text: string): void }) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    server.server.server.on('upgrade', other);
    const [response, socket] = await once(request('/elsewhere'), 'upgrade');
    expect(response.statusCode).toBe(101);
    socket.destroy();
    server.server.server.off('upgrade', other);
  });
});
