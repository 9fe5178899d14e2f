/**
 * The equivalent of PostgREST's admin server (its documentation, "Admin Server"): health and metrics of the data API
 * for operators, on a separate port or socket. It requires no key.
 */
import { createHttpServer, isSentToLoopback, type Metrics } from '@greenroom/http';
import { isLoopback } from '@greenroom/limits';
import type { Logger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type HealthChecks, stateOf } from './health.ts';
import { METRICS_TYPE, metricsOf } from './metrics-route.ts';

/** Data sources of the admin server. */
interface AdminServerOptions {
  log: Logger;
  metrics: Metrics;
  /** Metrics of `/metrics`. */
  registries: readonly Registry[];
  /** Whether requests of the data API are accepted. */
  isLive(): boolean;
  /** Checks whether they can be served. */
  checks: HealthChecks;
}

/** Creates the admin server. It does not listen yet. */
export function createAdminServer(options: AdminServerOptions): FastifyInstance {
  const { log, metrics, registries, isLive, checks } = options;
  const server = createHttpServer({ log, metrics, trustedProxies: [] });
  server.addHook('onRequest', async (request, reply) => {
    const isOnLoopback = isLoopback(request.socket.localAddress ?? '');
    if (isOnLoopback && !isSentToLoopback(request)) return reply.code(403).send();
  });
  server.get('/live', (_request, reply) => reply.code(isLive() ? 200 : 500).send());
  server.get('/ready', async (_request, reply) => {
    const states = await Promise.all(Object.values(checks).map(stateOf));
    const isReady = states.every((state) => state === 'ok');
    return reply.code(!isLive() ? 500 : isReady ? 200 : 503).send();
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(METRICS_TYPE).send(await metricsOf(registries)),
  );
  return server;
}
