/** Answers the paths of a service that have no route of their own. */
import type { FastifyInstance } from 'fastify';
import { gatewayError, gatewayErrorBody } from './errors.ts';

/**
 * Answers every method and body with JSON 404, at the prefix of the scope and below, where no other route matches. A
 * not-found handler would not do: the pages' route for all paths would match first and answer in HTML, without the CORS
 * headers of the scope.
 */
export async function refuseOtherPaths(server: FastifyInstance): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/', '/*']) {
      scope.all(url, { config: { onlyRefuses: true } }, async (_request, reply) => {
        const error = gatewayError('not_found');
        return reply.code(error.status).send(gatewayErrorBody(error));
      });
    }
  });
}
