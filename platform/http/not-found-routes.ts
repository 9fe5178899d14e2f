import type { FastifyInstance, FastifyRequest } from 'fastify';
import { gatewayError, gatewayErrorBody } from './errors.ts';

/** The content of a response with 404. */
export interface NotFoundContent {
  /** Value of `content-type`. */
  type: string;
  body: object;
}

/**
 * Responds with JSON 404 to every method and body, at the prefix of the scope and below it, if no other route matches.
 * A not-found handler would not suffice: the pages' catch-all route would match first and respond in HTML, without the
 * CORS headers of the scope.
 * @param contentOf content of the response to a request. Default: the error `not_found` of the gateway
 */
export async function registerNotFoundRoutes(
  server: FastifyInstance,
  contentOf: (request: FastifyRequest) => NotFoundContent = gatewayNotFound,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/', '/*']) {
      scope.all(url, { config: { onlyRejects: true } }, async (request, reply) => {
        const { type, body } = contentOf(request);
        return reply.code(404).type(type).send(body);
      });
    }
  });
}

function gatewayNotFound(): NotFoundContent {
  return { type: 'application/json; charset=utf-8', body: gatewayErrorBody(gatewayError('not_found')) };
}
