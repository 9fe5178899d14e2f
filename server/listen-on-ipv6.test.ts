import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listenForTest } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIpv6Listener } from './listen-on-ipv6.ts';

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

let listener: ReturnType<typeof createIpv6Listener>;
let server: Awaited<ReturnType<typeof listenForTest>>;
let port: number;

beforeEach(async () => {
  server = await listenForTest(async (fastify) => {
    listener = createIpv6Listener(fastify);
    fastify.get('/', async () => 'hello');
  });
  port = Number(new URL(server.url).port);
});
afterEach(() => server.close());

/** Returns the body of a response over IPv6; undefined if the connection is refused. */
const bodyOverIpv6 = () =>
  fetch(`http://[::1]:${port}/`, { headers: { connection: 'close' } }).then(
    (response) => response.text(),
    () => undefined,
  );

describe.runIf(HAS_IPV6)('a listener on IPv6', () => {
  it('passes connections to the server, and closes with it', async () => {
    await listener.listen({ host: '127.0.0.1', port });
    expect(await bodyOverIpv6()).toBe('hello');
    expect(await (await fetch(server.url)).text()).toBe('hello');
    const idle = connect(port, '::1');
    await once(idle, 'connect');
    idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(idle, 'data');
    await server.close();
    expect(await bodyOverIpv6()).toBeUndefined();
    idle.destroy();
  });

  it('is not opened if HOST is no IPv4 address with a corresponding one', async () => {
    await listener.listen({ host: '::1', port });
    await listener.listen({ host: '192.0.2.1', port });
    expect(await bodyOverIpv6()).toBeUndefined();
  });

  it('reports that the address is in use', async () => {
    const other = createServer();
    await once(other.listen({ port, host: '::1', ipv6Only: true }), 'listening');
    await expect(listener.listen({ host: '127.0.0.1', port })).rejects.toThrow(
      `realtime.ip_version is IPv6, but the server cannot listen on [::1]:${port}: listen EADDRINUSE`,
    );
    other.close();
  });
});
