/** `realtime.ip_version`: lets a server that listens on an IPv4 address also accept connections over IPv6. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { isSecureServer } from '@greenroom/http';
import type { FastifyInstance } from 'fastify';
import type { ListedService } from './services.ts';
import type { Config } from './settings.ts';

/** The IPv6 addresses that correspond to values of HOST. Other values decide alone. */
const CORRESPONDING: ReadonlyMap<string, string> = new Map([
  ['127.0.0.1', '::1'],
  ['0.0.0.0', '::'],
]);

/** Whether the server listens on an IPv6 address, too: its one port is also that of realtime. */
export function isOnIpv6({ realtime }: Config, services: readonly ListedService[]): boolean {
  return realtime.ipVersion === 'IPv6' && services.some(({ name }) => name === 'realtime');
}

/** A listener on a second address of a server. */
interface Ipv6Listener {
  /**
   * Accepts connections on the IPv6 address that corresponds to `host`, if there is one. Rejects if the address cannot be
   * used.
   */
  listen(config: Pick<Config, 'host' | 'port'>): Promise<void>;
}

/** Creates a listener that passes connections to the server until that closes. */
export function createIpv6Listener(server: FastifyInstance): Ipv6Listener {
  // As Node.js creates the listeners of its own HTTP and TLS servers.
  const options = { noDelay: true, allowHalfOpen: !isSecureServer(server.server) };
  const listener = createServer(options, (socket: Socket) => server.server.emit('connection', socket));
  const closed = new Promise((resolve) => listener.once('close', resolve));
  // The server finishes requests, and closes idle connections, while the second hook waits.
  server.addHook('preClose', async () => void listener.close());
  server.addHook('onClose', async () => void (await closed));
  return {
    async listen({ host, port }) {
      const address = CORRESPONDING.get(host);
      if (address === undefined) return;
      listener.listen({ host: address, port, ipv6Only: true });
      await once(listener, 'listening').catch((error: Error) => {
        throw new Error(
          `realtime.ip_version is IPv6, but the server cannot listen on [${address}]:${port}: ${error.message}`,
          { cause: error },
        );
      });
    },
  };
}
