/**
 * Paths of services of the hosted platform that Greenroom does not have: JSON 404 that scripts of any origin can read.
 */
import { registerCors, registerNotFoundRoutes } from '@greenroom/http';
import type { OpenService } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';

/** Prefixes of these services. */
export const UNSERVED_PREFIXES = ['/graphql/v1', '/pg'] as const;

/** Registers routes that respond with 404 to every method and body below {@link UNSERVED_PREFIXES} that no service has. */
export async function registerUnserved(
  server: FastifyInstance,
  services: readonly Pick<OpenService, 'routes'>[],
): Promise<void> {
  const served = new Set(services.flatMap(({ routes }) => routes.map(({ prefix }) => prefix)));
  for (const prefix of UNSERVED_PREFIXES.filter((each) => !served.has(each))) {
    await server.register(
      async (scope) => {
        registerCors(scope);
        await registerNotFoundRoutes(scope);
      },
      { prefix },
    );
  }
}
