import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { createSelfSigned } from './self-signed.ts';

const DAY_MS = 86_400_000;
const now = Date.now();
const created = createSelfSigned({
  name: 'localhost (test)',
  hosts: ['localhost'],
  addresses: ['127.0.0.1', '::1'],
  validFrom: new Date(now - DAY_MS),
  validTo: new Date(now + DAY_MS),
});

it('names only the given hosts and addresses, and signs no other certificates', () => {
  const certificate = new X509Certificate(created.cert);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkHost('example.org')).toBeUndefined();
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  expect(certificate.ca).toBe(false);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.subject).toBe('CN=localhost (test)');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.validFromDate.getTime()).toBe(Math.floor((now - DAY_MS) / 1000) * 1000);
  expect(certificate.validToDate.getTime()).toBe(Math.floor((now + DAY_MS) / 1000) * 1000);
  expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
});

it.each(['localhost', '127.0.0.1'])('is accepted by clients that trust it, as %s', async (servername) => {
  const server = createServer(created, (socket) => socket.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trusting = connect({ host: '127.0.0.1', port, ca: created.cert, ...nameOf(servername) });
  expect((await trusting.setEncoding('utf8').toArray()).join('')).toBe('hello');
  const other = connect({ host: '127.0.0.1', port, ...nameOf(servername) });
  expect(await failureOf(other)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  server.close();
});

/** An IP address is no server name of TLS. */
function nameOf(host: string): { servername?: string } {
  return host === 'localhost' ? { servername: host } : {};
}

async function failureOf(socket: TLSSocket): Promise<string | undefined> {
  const [error] = await once(socket, 'error');
  return (error as NodeJS.ErrnoException).code;
}
