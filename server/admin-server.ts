/**
 * What PostgREST calls its admin server (its documentation, "Admin Server"): for those who watch over the data API, on a
 * port or socket of its own that is theirs alone. Nobody is asked for a key there.
 */
import { createHttpServer, isSentToLoopback, type Metrics } from '@greenroom/http';
import { isLoopback } from '@greenroom/limits';
import type { Logger } from '@greenroom/log';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type HealthChecks, stateOf } from './health.ts';
import { METRICS_TYPE, metricsOf } from './metrics-route.ts';

/** What it tells of. */
interface AdminServerOptions {
  log: Logger;
  metrics: Metrics;
  /** Reported by `/metrics`. */
  registries: readonly Registry[];
  /** Whether requests of the data API are accepted. */
  isLive(): boolean;
  /** Whether they can be answered. */
  checks: HealthChecks;
}

/** Creates it. It listens to nothing yet. */
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
