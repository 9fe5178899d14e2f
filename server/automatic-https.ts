/** A server that obtains its certificate: renewal in the background, and the port of plain HTTP that this needs. */
import type { Challenges, Renewal } from '@greenroom/acme';
import type { AutomaticHttps, InstanceConfig } from '@greenroom/config';
import type { HttpServerOptions, Metrics } from '@greenroom/http';
import type { Logger } from '@greenroom/log';
import { obtainedFolder, readAuthorities, storeObtained } from '@greenroom/tls';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import type { Backend } from './backend.ts';
import { createDrain } from './drain.ts';
import type { OwnCertificate } from './own-certificate.ts';
import { createPlainHttpServer } from './plain-http.ts';
import { recordCertificate } from './record-instance.ts';
import { VERSION } from './version.ts';

/** The settings that plain HTTP shares with the server, and those of the certificate. */
type ServerSettings = Pick<
  InstanceConfig,
  'host' | 'dataDirectory' | 'limitsLoopback' | 'maxConnectionsPerClient' | 'trustedProxies' | 'tls'
>;

/** The server whose certificate is renewed. */
interface AutomaticHttpsOptions {
  config: ServerSettings;
  server: FastifyInstance;
  certificate: OwnCertificate;
  /** Its data folder records the certificate for commands. */
  backend: Pick<Backend, 'folder'> | undefined;
  log: Logger;
  metrics: Metrics;
}

/** Plain HTTP and a renewal in progress. */
interface AutomaticHttpsServer {
  /** Retries at once after a failure. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * Listens on the port of plain HTTP, and starts the renewal; undefined if the server does not obtain its certificate.
 * Throws ConfigError for a file of authorities that cannot be used, and the error of a port that cannot be listened on.
 */
export async function openAutomaticHttps({
  certificate,
  ...options
}: Omit<AutomaticHttpsOptions, 'certificate'> & { certificate: OwnCertificate | undefined }): Promise<
  AutomaticHttpsServer | undefined
> {
  const { config, log, metrics } = options;
  const { tls } = config;
  if (certificate === undefined || tls?.kind !== 'obtained') return undefined;
  const authorities = await readAuthorities(tls);
  const challenges: Challenges = new Map();
  await using opened = new AsyncDisposableStack();
  const plain = await listenForPlainHttp(config, tls, { challenges, log, metrics });
  opened.defer(() => plain.close());
  const renewal = await startRenewal({ ...options, certificate }, { tls, authorities, challenges });
  opened.defer(() => renewal.close());
  const resources = opened.move();
  return { wake: () => renewal.wake(), close: () => resources.disposeAsync() };
}

async function listenForPlainHttp(
  { host, limitsLoopback, maxConnectionsPerClient, trustedProxies }: ServerSettings,
  { domains, plainPort }: AutomaticHttps,
  shared: Pick<HttpServerOptions, 'log' | 'metrics'> & { challenges: Challenges },
) {
  const settings = { limitsLoopback, maxConnectionsPerClient, trustedProxies };
  const server = createPlainHttpServer({ ...settings, ...shared, domains });
  const close = createDrain(server);
  await server.listen({ host, port: plainPort });
  return { close };
}

/** Loads the code of orders, which few servers need. */
async function startRenewal(
  { config, server, certificate, backend, log, metrics }: AutomaticHttpsOptions,
  { tls, authorities, challenges }: Ordering,
): Promise<Renewal> {
  const { keepRenewed, loadOrCreateAccountKey, obtainCertificate, openOrderAttempts } = await import(
    '@greenroom/acme'
  );
  const { dataDirectory } = config;
  const folder = obtainedFolder(dataDirectory, tls);
  const { domains, directory, email } = tls;
  const attempts = new Counter({
    name: 'greenroom_certificate_orders_total',
    help: 'Attempts to obtain a certificate, by outcome',
    labelNames: ['outcome'] as const,
    registers: [metrics.registry],
  });
  return keepRenewed({
    domains,
    current: () => certificate.current().cert,
    obtain: async (signal) =>
      obtainCertificate({
        domains,
        directory,
        email,
        authorities,
        challenges,
        accountKey: await loadOrCreateAccountKey(folder),
        userAgent: `greenroom/${VERSION}`,
        signal,
      }),
    use: (obtained) => certificate.replace(obtained, server),
    async store(obtained) {
      await Promise.all([
        storeObtained(dataDirectory, tls, obtained),
        backend && recordCertificate(backend.folder, obtained.cert),
      ]);
    },
    attempts: openOrderAttempts(folder),
    onAttempt: (outcome) => attempts.inc({ outcome }),
    log,
  });
}

/** How an order is made. */
interface Ordering {
  tls: AutomaticHttps;
  authorities: string | undefined;
  challenges: Challenges;
}
