/** The platform's HTTP server on a free port, for tests over real sockets. */
import type { AddressInfo } from 'node:net';
import { createHttpServer, createMetrics, type HttpServerOptions } from '@greenroom/http';
import { createLogger, type Logger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';

/** A listening server. */
export interface TestServer {
  url: string;
  server: FastifyInstance;
  close(): Promise<void>;
}

/** Options of {@link listenForTest}. */
export interface ListenOptions
  extends Pick<HttpServerOptions, 'limitsLoopback' | 'maxConnectionsPerClient' | 'tls'> {
  trustedProxies?: readonly string[];
  /** Default: a free port. */
  port?: number;
}

/**
 * Registers plugins and listens on 127.0.0.1. Requests have `credentials.bearer` as they would behind the API key
 * check, but need no API key. With `limitsLoopback`, limits per client apply as they do with a public URL that is not
 * loopback. With `trustedProxies`, `X-Forwarded-For` of these addresses is trusted. With `tls`, the server speaks HTTPS.
 */
export async function listenForTest(
  register: (server: FastifyInstance) => Promise<void>,
  log: Logger = createLogger('silent'),
  { trustedProxies = [], port: wanted = 0, ...options }: ListenOptions = {},
): Promise<TestServer> {
  const server = createHttpServer({
    log,
    metrics: createMetrics(),
    trustedProxies,
    ...options,
  });
  server.addHook('onRequest', async (request) => {
    const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    request.credentials = { apiKey: undefined, bearer };
  });
  await register(server);
  await server.listen({ host: '127.0.0.1', port: wanted });
  const { port } = server.server.address() as AddressInfo;
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${port}`, server, close: () => server.close() };
}
