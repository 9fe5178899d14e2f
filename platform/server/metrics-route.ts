/** `/metrics`: for the machine itself, where nobody else can reach us, and for whoever holds the service_role key. */
import type { Config } from '@greenroom/config';
import { hasServiceRoleKey, type Metrics } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Options of {@link registerMetrics}. */
export interface MetricsRouteOptions {
  readApiKey: ApiKeyReader;
  /** Whether the key is asked for on this very machine too. */
  requireKey: boolean;
}

/** Registers `/metrics` in Prometheus' text format. */
export function registerMetrics(
  server: FastifyInstance,
  metrics: Metrics,
  { readApiKey, requireKey }: MetricsRouteOptions,
): void {
  server.get('/metrics', async (request, reply) => {
    const open = !requireKey && isLocal(request);
    if (!open && !(await hasServiceRoleKey(request, readApiKey))) {
      return reply.code(403).send({ message: 'Metrics need the service_role key', code: 'not_admin' });
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/**
 * False where the settings speak of visitors from elsewhere. A plain reverse proxy makes them look local, and need not
 * give itself away in what it sends.
 */
export function isForThisMachineOnly({ host, siteUrl, trustedProxies }: Config): boolean {
  return LOOPBACK.test(host) && siteUrl === undefined && trustedProxies.length === 0;
}

/** A proxy that nobody told us of may still give itself away by what it adds. */
function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  return forwarded === undefined && LOOPBACK.test(request.socket.remoteAddress ?? '');
}
