/** Tests the tools of attackers against a small server. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { AttackContext } from './attack.ts';
import { holdConnections, rawHead } from './connections.ts';
import { flood } from './http.ts';
import { Tally } from './tally.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function attack(listener: RequestListener): Promise<{ context: AttackContext; end: AbortController }> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const end = new AbortController();
  const facts = { name: '', url, address: '127.0.2.9', seconds: 60, anonKey: '', accounts: [], victims: [] };
  return { context: { ...facts, tally: new Tally(), signal: end.signal }, end };
}

it('sends all requests of a flood from its address, and counts statuses and errors', async () => {
  const addresses = new Set<string | undefined>();
  const { context } = await attack(({ socket, url }, response) => {
    addresses.add(socket.remoteAddress);
    if (url === '/2') socket.destroy();
    else response.writeHead(url === '/1' ? 429 : 200).end('ok');
  });
  await flood(context, { sockets: 2, maxRequests: 6, request: (index) => ({ path: `/${index}` }) });
  expect(context.tally.toRecord()).toEqual({ 200: 4, 429: 1, ECONNRESET: 1 });
  expect([...addresses]).toEqual(['127.0.2.9']);
});

it('stops a flood when the attack ends', async () => {
  const { context, end } = await attack(() => end.abort());
  await flood(context, { sockets: 3, request: () => ({ path: '/' }) });
  expect(context.tally.toRecord()).toEqual({});
});

it('holds connections and counts those that the server closes', async () => {
  let responded = 0;
  const { context, end } = await attack(({ socket, url }, response) => {
    if (url === '/0') socket.destroy();
    else response.end('ok');
    responded += 1;
    if (responded === 3) setTimeout(() => end.abort(), 100);
  });
  await holdConnections(context, { connections: 3, first: (index) => `${rawHead('GET', `/${index}`)}\r\n` });
  expect(context.tally.toRecord()).toEqual({ connected: 3, 'closed by server': 1 });
});
