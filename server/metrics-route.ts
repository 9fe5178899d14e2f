/** `/metrics`: for clients on this machine, where no others can reach the server, and for holders of the service_role key. */
import type { InstanceConfig } from '@greenroom/config';
import { hasServiceRoleKey, isSentToLoopback } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';

/** Content type of the text format. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Options of {@link registerMetrics}. */
interface MetricsRouteOptions {
  readApiKey: ApiKeyReader;
  /** Whether the key is asked for on this very machine too. */
  requireKey: boolean;
}

/** Registers `/metrics`: the metrics of all registries in Prometheus' text format. */
export function registerMetrics(
  server: FastifyInstance,
  registries: readonly Registry[],
  { readApiKey, requireKey }: MetricsRouteOptions,
): void {
  server.get('/metrics', async (request, reply) => {
    const open = !requireKey && isLocal(request);
    if (!open && !(await hasServiceRoleKey(request, readApiKey))) {
      return reply.code(403).send({ message: 'Metrics need the service_role key', code: 'not_admin' });
    }
    return reply.type(METRICS_TYPE).send(await metricsOf(registries));
  });
}

/** Text of all registries. No two of them have metrics of the same name. */
export async function metricsOf(registries: readonly Registry[]): Promise<string> {
  const texts = await Promise.all(registries.map((registry) => registry.metrics()));
  return texts.join('');
}

/**
 * False where the settings speak of visitors from elsewhere. A plain reverse proxy makes them look local, and need not
 * give itself away in what it sends.
 */
export function isForThisMachineOnly(config: InstanceConfig): boolean {
  const { host, publicUrl, trustedProxies, limitsLoopback } = config;
  return LOOPBACK.test(host) && publicUrl === undefined && trustedProxies.length === 0 && !limitsLoopback;
}

/** Headers that an undeclared proxy adds give it away, and the host's name gives away a page that rebinds its own. */
function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  const isFromLoopback = LOOPBACK.test(request.socket.remoteAddress ?? '');
  return forwarded === undefined && isFromLoopback && isSentToLoopback(request);
}
