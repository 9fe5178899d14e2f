/** Connections to the server of the instance on its own machine. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { pinnedTo } from '@greenroom/tls';
import type { ConnectToApi } from './api-socket.ts';

/**
 * Returns a function that connects to an address.
 * @param certificate returns the certificate of the server in PEM; undefined if it speaks HTTP
 */
export function connectTo(
  address: { host: string; port: number },
  certificate: () => Promise<string | undefined>,
): ConnectToApi {
  return async () => {
    const pem = await certificate();
    if (pem === undefined) return connect({ ...address, noDelay: true });
    const socket = connectTls({ ...address, ...pinnedTo(pem) });
    await once(socket, 'secureConnect');
    return socket;
  };
}
