/** The socket to the API of an instance with HTTPS. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestCertificate } from '@greenroom/tls/testing';
import { expect, it } from 'vitest';
import { openApiSocket } from './api-socket.ts';
import { connectTo } from './connect-to-api.ts';

it('leads to a server with HTTPS if it has the certificate of the instance, and to no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-api-socket-'));
  const [own, other] = [createTestCertificate(), createTestCertificate()];
  const server = createServer(own, ({ socket }, response) =>
    response.end(`a request of functions: ${trusted.isSourceOf(socket)}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = (name: string, pem: string) =>
    openApiSocket(
      join(folder, name),
      connectTo({ host: '127.0.0.1', port }, async () => pem),
    );
  const [trusted, distrusted] = [await open('own.sock', own.cert), await open('other.sock', other.cert)];
  const read = (socketPath: string) =>
    new Promise<string>((resolve, reject) => {
      request({ socketPath, path: '/' }, (response) => resolve(text(response)))
        .on('error', reject)
        .end();
    });
  expect(await read(trusted.path)).toBe('a request of functions: true');
  await expect(read(distrusted.path)).rejects.toThrow();
  await Promise.all([trusted.close(), distrusted.close()]);
  server.close();
  await rm(folder, { recursive: true });
});
