/**
 * Paths of services of the hosted platform that Greenroom does not have: JSON 404 that scripts of any origin can read.
 */
import { type NotFoundContent, registerCors, registerNotFoundRoutes } from '@greenroom/http';
import type { OpenService } from '@greenroom/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const GRAPHQL_PREFIX = '/graphql/v1';

/** Prefixes of these services. */
export const UNSERVED_PREFIXES = [GRAPHQL_PREFIX, '/pg'] as const;

/** The message of the function `graphql_public.graphql`, and what to use instead. */
const GRAPHQL_MESSAGE =
  'GraphQL is not available: Greenroom has no pg_graphql. Use the data API at /rest/v1, e.g. with supabase-js.';
const GRAPHQL_ERROR = { errors: [{ message: GRAPHQL_MESSAGE, extensions: { code: 'not_found' } }] };
/** Clients that accept this type read the errors of responses with every status ("GraphQL over HTTP"). */
const GRAPHQL_TYPE = 'application/graphql-response+json';

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
        await registerNotFoundRoutes(scope, prefix === GRAPHQL_PREFIX ? graphqlNotFound : undefined);
      },
      { prefix },
    );
  }
}

function graphqlNotFound({ headers }: FastifyRequest): NotFoundContent {
  const type = headers.accept?.includes(GRAPHQL_TYPE) ? GRAPHQL_TYPE : 'application/json';
  return { type: `${type}; charset=utf-8`, body: GRAPHQL_ERROR };
}
