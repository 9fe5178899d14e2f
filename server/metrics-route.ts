/** `/metrics`: for clients on this machine, where no others can reach the server, and for holders of the service_role key. */
import type { Config } from '@greenroom/config';
import { hasServiceRoleKey, isSentToLoopback, type Metrics } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Options of {@link registerMetrics}. */
interface MetricsRouteOptions {
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
export function isForThisMachineOnly(config: Config): boolean {
  const { host, publicUrl, trustedProxies, limitsLoopback } = config;
  return LOOPBACK.test(host) && publicUrl === undefined && trustedProxies.length === 0 && !limitsLoopback;
}

/** Headers that an undeclared proxy adds give it away, and the host's name gives away a page that rebinds its own. */
function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  const isFromLoopback = LOOPBACK.test(request.socket.remoteAddress ?? '');
  return forwarded === undefined && isFromLoopback && isSentToLoopback(request);
}
