/** `/metrics`: for the machine itself, and for whoever holds the service_role key. */
import type { Metrics } from '@greenroom/http';
import type { ApiKeyMeaning } from '@greenroom/keys';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Registers `/metrics` in Prometheus' text format. */
export function registerMetrics(
  server: FastifyInstance,
  metrics: Metrics,
  readApiKey: (key: string) => Promise<ApiKeyMeaning | undefined>,
): void {
  server.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && (await roleOf(request, readApiKey)) !== 'service_role') {
      return reply.code(403).send({ message: 'Metrics need the service_role key', code: 'not_admin' });
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** A proxy on the same machine makes everyone look local; it gives itself away by what it adds. */
function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
  return forwarded === undefined && LOOPBACK.test(request.socket.remoteAddress ?? '');
}

async function roleOf(
  request: FastifyRequest,
  readApiKey: (key: string) => Promise<ApiKeyMeaning | undefined>,
): Promise<string | undefined> {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const key = request.headers.apikey ?? bearer;
  return typeof key === 'string' ? (await readApiKey(key))?.role : undefined;
}
