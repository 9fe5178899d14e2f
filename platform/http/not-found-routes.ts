import type { FastifyInstance } from 'fastify';
import { gatewayError, gatewayErrorBody } from './errors.ts';

/**
 * Responds with JSON 404 to every method and body, at the prefix of the scope and below it, if no other route matches.
 * A not-found handler would not suffice: the pages' catch-all route would match first and respond in HTML, without the
 * CORS headers of the scope.
 */
export async function registerNotFoundRoutes(server: FastifyInstance): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/', '/*']) {
      scope.all(url, { config: { onlyRejects: true } }, async (_request, reply) => {
        const error = gatewayError('not_found');
        return reply.code(error.status).send(gatewayErrorBody(error));
      });
    }
  });
}
