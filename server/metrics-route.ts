/**
 * `/metrics`: for clients on this machine, if no other machine can reach the server, and for holders of the
 * service_role key.
 */
import type { InstanceConfig } from '@greenroom/config';
import { hasServiceRoleKey, isSentToLoopback } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { OpenService } from '@greenroom/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
/** Names of headers that proxies add. */
const FORWARDED = /^(x-forwarded-for|forwarded)$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Options of {@link registerMetrics}. */
interface MetricsRouteOptions {
  readApiKey: ApiKeyReader;
  /** Whether the key is also required on this machine. */
  requireKey: boolean;
  /** Code that they run for users is no client of this machine. Default: none. */
  services?: readonly Pick<OpenService, 'isFromOwnCode'>[];
}

/** Registers `/metrics`: the metrics of all registries in Prometheus' text format. */
export function registerMetrics(
  server: FastifyInstance,
  registries: readonly Registry[],
  { readApiKey, requireKey, services = [] }: MetricsRouteOptions,
): void {
  server.get('/metrics', async (request, reply) => {
    const isOfService = services.some(({ isFromOwnCode }) => isFromOwnCode?.(request.socket));
    const open = !requireKey && isLocal(request) && !isOfService;
    if (!open && !(await hasServiceRoleKey(request, readApiKey))) {
      return reply.code(403).send({ message: 'Metrics require the service_role key', code: 'not_admin' });
    }
    return reply.type(METRICS_TYPE).send(await metricsOf(registries));
  });
}

/** Returns the text of all registries. No two of them have metrics of the same name. */
export async function metricsOf(registries: readonly Registry[]): Promise<string> {
  const texts = await Promise.all(registries.map((registry) => registry.metrics()));
  return texts.join('');
}

/**
 * Whether the settings exclude visitors from other machines. A plain reverse proxy makes such visitors look local, and
 * may not be recognisable from its requests.
 */
export function isLoopbackOnly(config: InstanceConfig): boolean {
  const { host, publicUrl, trustedProxies, limitsLoopback } = config;
  return LOOPBACK.test(host) && publicUrl === undefined && trustedProxies.length === 0 && !limitsLoopback;
}

/** The headers of an undeclared proxy reveal it, and the host header reveals a page that uses DNS rebinding. */
function isLocal(request: FastifyRequest): boolean {
  // `headers` has the address of the visitor in any case.
  const isForwarded = request.raw.rawHeaders.some((name) => FORWARDED.test(name));
  const isFromLoopback = LOOPBACK.test(request.socket.remoteAddress ?? '');
  return !isForwarded && isFromLoopback && isSentToLoopback(request);
}
