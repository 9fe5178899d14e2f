import { connect } from 'node:net';
import { createMetrics } from '@greenroom/http';
import { createLogger } from '@greenroom/log';
import { freePort } from '@greenroom/testing/free-port';
import { createTestCertificate } from '@greenroom/tls/testing';
import Fastify from 'fastify';
import { Counter } from 'prom-client';
import { expect, it } from 'vitest';
import { openAutomaticHttps } from './automatic-https.ts';
import type { OwnCertificate } from './own-certificate.ts';

it('closes the port of plain HTTP if the renewal cannot be started', async () => {
  const [plainPort, metrics] = [await freePort(), createMetrics()];
  const tls = {
    kind: 'obtained',
    domains: ['example.org'],
    host: '127.0.0.1',
    port: 443,
    plainPort,
    directory: 'https://acme.example.org/directory',
    email: undefined,
    authoritiesFile: undefined,
  } as const;
  const current = createTestCertificate();
  const certificate: OwnCertificate = {
    current: () => current,
    prepare: async () => ({ apply: () => undefined }),
    replace: () => undefined,
  };
  const name = 'greenroom_certificate_orders_total';
  // The same name twice is an error of the registry.
  new Counter({ name, help: 'taken', registers: [metrics.registry] });
  const opened = openAutomaticHttps({
    config: {
      host: '127.0.0.1',
      dataDirectory: '/nonexistent',
      limitsLoopback: false,
      maxConnectionsPerClient: 10,
      trustedProxies: [],
      tls,
    },
    server: Fastify(),
    certificate,
    backend: undefined,
    log: createLogger('silent'),
    metrics,
  });
  await expect(opened).rejects.toThrow(name);
  await expect(connectTo(plainPort)).rejects.toThrow('ECONNREFUSED');
});

function connectTo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
