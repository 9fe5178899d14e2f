/** The server with HTTPS. */
import { once } from 'node:events';
import { Agent, request as send } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { listenForTest, type TestServer } from '@greenroom/testing';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceCertificate } from './index.ts';

const certificate = createTestCertificate();
const MAX_CONNECTIONS = 3;
let server: TestServer;
let port: number;

beforeAll(async () => {
  server = await listenForTest(
    async (fastify) => {
      fastify.upgrades.accept('/socket');
      fastify.get('/socket', async (request, reply) => {
        const upgrade = fastify.upgrades.of(request);
        if (upgrade === undefined) return reply.code(426).send();
        reply.hijack();
        upgrade.detach();
        upgrade.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\nhello');
      });
      fastify.post('/echo', async (request) => ({ protocol: request.protocol, body: request.body }));
    },
    undefined,
    { tls: certificate, limitsLoopback: true, maxConnectionsPerClient: MAX_CONNECTIONS },
  );
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

/** Sends a request, and resolves with status and body. */
async function responseOf(path: string, options: { body?: string; agent?: Agent; ca?: string } = {}) {
  const { body, agent = new Agent(), ca = certificate.cert } = options;
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const [response] = await once(
    send(server.url + path, { method, headers, agent, ca }).end(body),
    'response',
  );
  return [response.statusCode, await text(response)];
}

/** Writes bytes below TLS, and resolves with the response when the server closes the connection. */
async function rawResponse(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  let response = '';
  socket.setEncoding('utf8').on('data', (data) => {
    response += data;
  });
  await once(socket, 'close');
  return response;
}

function openSecurely(): TLSSocket {
  return connectSecurely({ host: '127.0.0.1', port, ca: certificate.cert }).on('error', () => {});
}

it('responds to requests, and routes handshakes', async () => {
  const body = JSON.stringify({ a: 'x'.repeat(100_000) });
  const [status, echoed = ''] = await responseOf('/echo', { body });
  expect([status, JSON.parse(echoed as string)]).toEqual([
    200,
    { protocol: 'https', body: JSON.parse(body) },
  ]);
  const socket = openSecurely();
  socket.write('GET /socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  expect(await text(socket)).toBe('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\nhello');
});

describe('a client without TLS', () => {
  it('gets 400 with the reason', async () => {
    const response = await rawResponse('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(response.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual({
      message: 'This port speaks HTTPS. Use an https:// URL.',
      code: 'https_required',
    });
  });

  it('is disconnected after other bytes', async () => {
    expect(await rawResponse('\x16\x03\x01garbage that is no handshake\r\n\r\n')).not.toContain('HTTP');
  });
});

it('disconnects a client with too many connections', async () => {
  const open = Array.from({ length: MAX_CONNECTIONS }, openSecurely);
  await Promise.all(open.map((socket) => once(socket, 'secureConnect')));
  const rejected = openSecurely();
  await new Promise((resolve) => rejected.once('close', resolve));
  expect(rejected.authorized).toBe(false);
  for (const socket of open) socket.destroy();
  await expect.poll(() => responseOf('/socket').catch(() => undefined)).toEqual([426, '']);
});

it('uses another certificate for new connections, and keeps the open ones', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await responseOf('/socket', { agent })).toEqual([426, '']);
  const renewed = createTestCertificate();
  replaceCertificate(server.server, renewed);
  expect(await responseOf('/socket', { agent })).toEqual([426, '']);
  await expect(responseOf('/socket')).rejects.toThrow('self-signed certificate');
  expect(await responseOf('/socket', { ca: renewed.cert })).toEqual([426, '']);
  agent.destroy();
  replaceCertificate(server.server, certificate);
});
