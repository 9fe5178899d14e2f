/** Bounds the connections of one client, so that it cannot use up the server's file descriptors and memory. */
import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { clientKeys, isLoopback } from '@greenroom/limits';
import { gatewayError, gatewayErrorBody } from './errors.ts';

/** Options of {@link limitConnections}. */
export interface ConnectionLimits {
  /** Most connections of one client. */
  maxPerClient: number;
  /** Addresses and CIDR ranges of proxies, which carry the connections of many clients. */
  trustedProxies: readonly string[];
  /** Whether clients on the loopback are limited like all others. */
  limitsLoopback: boolean;
}

/** Refuses connections above the limit of their client with 429, before any request on them is read. */
export function limitConnections(server: Server, { maxPerClient, ...rest }: ConnectionLimits): void {
  const isExempt = exemption(rest);
  const open = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isExempt(remoteAddress)) return;
    const keys = clientKeys({ address: remoteAddress });
    if (keys.some((key) => (open.get(key) ?? 0) >= maxPerClient)) {
      refuse(socket);
      return;
    }
    for (const key of keys) open.set(key, (open.get(key) ?? 0) + 1);
    socket.once('close', () => {
      for (const key of keys) {
        const left = (open.get(key) ?? 0) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    });
  });
}

function exemption({ trustedProxies, limitsLoopback }: Omit<ConnectionLimits, 'maxPerClient'>) {
  const proxies = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  return (address: string) =>
    (!limitsLoopback && isLoopback(address)) || proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** The socket is not read any more: a client that goes on sending gets a reset. */
function refuse(socket: Socket): void {
  const failure = gatewayError('too_many_connections');
  const body = JSON.stringify(gatewayErrorBody(failure));
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${failure.status} Too Many Requests\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `retry-after: 1\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
