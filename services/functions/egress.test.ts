/** Connections of functions to this machine and to private networks, over real sockets: none arrives. */
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

const FILES = {
  'egress/index.ts': `
    import dgram from 'node:dgram';
    import http from 'node:http';
    import net from 'node:net';
    import tls from 'node:tls';

    const opened = (emitter, event) => new Promise((resolve, reject) => {
      emitter.on(event, resolve);
      emitter.on('error', reject);
    });
    const attempts = {
      fetch: ({ url }) => fetch(url),
      'Deno.connect': ({ hostname, port }) => Deno.connect({ hostname, port }),
      'Deno.connectTls': ({ hostname, port }) => Deno.connectTls({ hostname, port }),
      WebSocket: ({ url }) => new Promise((resolve, reject) => {
        const socket = new WebSocket(url.replace('http', 'ws'));
        socket.onopen = resolve;
        socket.onerror = (event) => reject(event.error ?? new Error(event.message));
      }),
      'node:net': ({ hostname, port }) => opened(net.connect(port, hostname), 'connect'),
      'node:tls': ({ hostname, port }) => opened(tls.connect(port, hostname), 'secureConnect'),
      'node:http': ({ url }) => opened(http.get(url), 'response'),
      'Deno.resolveDns': ({ hostname, port }) =>
        Deno.resolveDns('example.org', 'A', { nameServer: { ipAddr: hostname, port } }),
      'node:dgram': ({ hostname, port }) => new Promise((resolve, reject) => {
        const socket = dgram.createSocket(hostname.includes(':') ? 'udp6' : 'udp4');
        socket.on('error', reject);
        globalThis.addEventListener('error', (event) => { event.preventDefault(); reject(event.error); }, { once: true });
        socket.send('x', port, hostname, (error) => error ? reject(error) : resolve());
      }),
      'abstract socket': ({ path }) => Deno.connect({ transport: 'unix', path }),
      'abstract socket of node:net': ({ path }) => opened(net.connect(path), 'connect'),
      'listen on an abstract socket': async ({ path }) => Deno.listen({ transport: 'unix', path: path + 'own' }),
      'listen on a port': async ({ hostname }) => Deno.listen({ hostname, port: 0 }),
    };
    Deno.serve(async (request) => {
      const { kind, ...options } = await request.json();
      try {
        await attempts[kind](options);
        return new Response('succeeded');
      } catch (error) {
        return new Response(String(error.name + ' ' + error.message));
      }
    });`,
};

/** The addresses of this machine in all forms, with private ones that its interfaces have. */
const HOSTS = [
  '127.0.0.1',
  'localhost',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  ...Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map(({ address, scopeid }) => (scopeid ? `${address}%${name}` : address)),
  ),
];
const STREAMS = [
  'fetch',
  'Deno.connect',
  'Deno.connectTls',
  'WebSocket',
  'node:net',
  'node:tls',
  'node:http',
];
/** Private networks of IPv6, and addresses from which a gateway makes private ones of IPv4. */
const PRIVATE_6 = [
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
];

let server: FunctionsServer;
let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = await FunctionsServer.open({ files: FILES });
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  listener.listen(0, '::');
  await once(listener, 'listening');
  ({ port } = listener.address() as AddressInfo);
}, 30_000);
afterAll(async () => {
  listener.close();
  await server[Symbol.asyncDispose]();
});

const attempt = async (kind: string, options: object) =>
  (await server.call('egress', { method: 'POST', body: JSON.stringify({ kind, ...options }) })).text();

it.each(STREAMS)('%s reaches no address of this machine', async (kind) => {
  const before = connections;
  for (const hostname of HOSTS) {
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    const answer = await attempt(kind, { hostname, port, url: `http://${host}:${port}/` });
    expect(answer, hostname).not.toBe('succeeded');
  }
  expect(connections).toBe(before);
});

it.each(['Deno.resolveDns', 'node:dgram'])('%s sends no datagram to this machine', async (kind) => {
  const receiver = createSocket({ type: 'udp6', ipv6Only: false });
  receiver.bind(0, '::');
  await once(receiver, 'listening');
  const { port: datagrams } = receiver.address();
  const received: string[] = [];
  receiver.on('message', (message) => received.push(message.toString('latin1')));
  for (const hostname of HOSTS.filter((host) => host !== 'localhost'))
    await attempt(kind, { hostname, port: datagrams });
  receiver.send('control', datagrams, '::1');
  await expect.poll(() => received.at(-1)).toBe('control');
  expect(received).toEqual(['control']);
  receiver.close();
});

it.runIf(process.platform === 'linux').each(PRIVATE_6)('a connection to %s is refused', async (hostname) => {
  expect(await attempt('Deno.connect', { hostname, port })).toContain('Address family not supported');
});

it.each([25, 587])('port %i is closed', async (closed) => {
  for (const kind of ['Deno.connect', 'Deno.connectTls', 'node:net'])
    expect(await attempt(kind, { hostname: '1.1.1.1', port: closed }), kind).toMatch(/^NotCapable/);
});

it.runIf(process.platform === 'linux')('abstract Unix sockets are closed', async () => {
  const path = `\0greenroom-${randomUUID()}-with-a-name-of-an-unusual-length`;
  let arrived = 0;
  const abstract = createServer(() => {
    arrived += 1;
  }).listen(path);
  await once(abstract, 'listening');
  for (const kind of ['abstract socket', 'abstract socket of node:net', 'listen on an abstract socket'])
    expect(await attempt(kind, { path }), kind).toMatch(/not permitted|EACCES/);
  expect(arrived).toBe(0);
  abstract.close();
});

it('a function listens on no port', async () => {
  for (const hostname of HOSTS)
    expect(await attempt('listen on a port', { hostname }), hostname).not.toBe('succeeded');
});

it('networks that settings allow are reached, and their neighbours are not', async () => {
  await using open = await FunctionsServer.open({
    files: FILES,
    settings: { GREENROOM_FUNCTIONS_PRIVATE_NETWORKS: '127.0.0.1', GREENROOM_FUNCTIONS_IPV6: 'true' },
  });
  const connect = async (hostname: string) => {
    const body = JSON.stringify({ kind: 'Deno.connect', hostname, port });
    return (await open.call('egress', { method: 'POST', body })).text();
  };
  expect(await connect('127.0.0.1')).toBe('succeeded');
  expect(await connect('127.0.0.2')).toMatch(/^NotCapable/);
  expect(await connect('::1')).toMatch(/^NotCapable/);
});
