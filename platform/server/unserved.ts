/** Paths of services of the hosted platform that Greenroom does not have: JSON 404 that scripts of any origin can read. */
import { gatewayError, gatewayErrorBody, registerCors } from '@greenroom/http';
import type { FastifyInstance } from 'fastify';

/** Prefixes of these services. */
export const UNSERVED_PREFIXES = ['/functions/v1', '/graphql/v1', '/pg'] as const;

/**
 * Registers routes that answer every method and body below {@link UNSERVED_PREFIXES} with 404. Otherwise the pages would
 * answer, in HTML and without CORS headers.
 */
export async function registerUnserved(server: FastifyInstance): Promise<void> {
  for (const prefix of UNSERVED_PREFIXES) {
    await server.register(
      async (scope) => {
        registerCors(scope);
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
        for (const url of ['/', '/*']) {
          scope.all(url, { config: { onlyRefuses: true } }, async (_request, reply) => {
            const error = gatewayError('not_found');
            return reply.code(error.status).send(gatewayErrorBody(error));
          });
        }
      },
      { prefix },
    );
  }
}
