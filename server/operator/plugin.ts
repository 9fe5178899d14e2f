/** Routes for the admin area that concern the instance itself and no service, such as its log. */
import { CatalogueError } from '@greenroom/errors';
import {
  createServiceKeyAccess,
  noteError,
  registerApiScope,
  registerNotFoundRoutes,
  type ServiceKeyAccessOptions,
} from '@greenroom/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from './errors.ts';

const PREFIX = '/operator/v1';

/** Registers the routes of one topic, in a scope that has the prefix and the guard. */
export type OperatorRoutes = (server: FastifyInstance) => void;

/** Options of {@link registerOperator}. */
interface OperatorOptions extends ServiceKeyAccessOptions {
  topics: readonly OperatorRoutes[];
}

/** No page of another origin may read responses. */
const CORS = { allowedOrigins: () => [], handlesOptions: false };

/** Registers the routes. Callers need the service key, and are the pages of this process or at an allowed address. */
export async function registerOperator(server: FastifyInstance, options: OperatorOptions): Promise<void> {
  await registerApiScope(server, {
    prefix: PREFIX,
    service: async (scope) => registerTopics(scope, options),
    serviceOptions: {},
    credentials: { readApiKey: options.readApiKey, requireApiKey: true },
    openPaths: [],
    cors: CORS,
  });
}

async function registerTopics(server: FastifyInstance, options: OperatorOptions): Promise<void> {
  const findRefusal = createServiceKeyAccess(options);
  server.setErrorHandler(respondWithError);
  server.addHook('onRequest', async (request) => {
    const refusal = await findRefusal(request);
    if (refusal !== undefined) throw failure(refusal);
  });
  // Responses are for one reader.
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  for (const registerRoutes of options.topics) registerRoutes(server);
  await registerNotFoundRoutes(server);
}

function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = knownError(error);
  if (known === undefined) throw error;
  noteError(request, known);
  void reply.code(known.status).send({ code: known.code, message: known.message, ...known.extra });
}

function knownError(error: unknown): CatalogueError | undefined {
  if (error instanceof CatalogueError) return error;
  const { statusCode, message = '' } = error as { statusCode?: number; message?: string };
  return statusCode !== undefined && statusCode < 500 ? failure('invalid_request', { message }) : undefined;
}
