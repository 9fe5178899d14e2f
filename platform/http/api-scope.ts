/**
 * The checks in front of each service: cross-origin rules, then the API key. The order matters, because a browser's
 * preflight request has no key.
 */
import { CatalogueError } from '@greenroom/errors';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginOptions,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { type BodyBudget, bytesToReserve } from './body-budget.ts';
import { type CorsRules, registerCors } from './cors.ts';
import {
  type CredentialOptions,
  isFromServiceRole,
  NO_CREDENTIALS,
  readCredentials,
  sendsCredentials,
} from './credentials.ts';
import { gatewayError, gatewayErrorBody } from './errors.ts';
import { limits } from './limits.ts';
import { noteError } from './observation.ts';
import type { VisitorReader } from './visitor.ts';

declare module 'fastify' {
  interface FastifyInstance {
    visitors: VisitorReader;
    bodyBudget: BodyBudget;
  }
  interface FastifyContextConfig {
    /** Longer URLs get status 414; `limits.urlBytes` if not set. */
    maxUrlBytes?: number;
    /**
     * Values of headers that are longer get status 431, also those that otherwise have no limit, except for cookies;
     * `limits.headerValueBytes` if not set.
     */
    maxHeaderBytes?: number;
    /** The route only rejects: a path that does not exist, or a method that its path does not support. */
    onlyRejects?: boolean;
  }
  interface FastifyRequest {
    /**
     * The service that the request is routed to, by the first segment of its prefix; {@link NO_SERVICE} outside of all
     * services.
     */
    service: string;
  }
}

/** Service name of requests outside of all services: pages, health, unknown paths. */
export const NO_SERVICE = 'app';

/** Options of {@link registerApiScope}. */
interface ApiScopeOptions<Options extends FastifyPluginOptions> {
  prefix: string;
  service: FastifyPluginAsync<Options>;
  serviceOptions: Options;
  credentials: CredentialOptions;
  /** Cross-origin rules of the service. */
  cors?: CorsRules;
  /** Paths below the prefix that need no API key: links in mails, public keys. A `*` at the end matches any suffix. */
  openPaths: readonly string[];
}

/** Registers a service under its prefix, behind cross-origin rules and the API key check. */
export async function registerApiScope<Options extends FastifyPluginOptions>(
  server: FastifyInstance,
  { prefix, service, serviceOptions, credentials, openPaths, cors: rules }: ApiScopeOptions<Options>,
): Promise<void> {
  await server.register(
    async (scope) => {
      const name = nameOf(prefix);
      scope.addHook('onRequest', (request, _reply, done) => {
        request.service = name;
        done();
      });
      registerCors(scope, rules);
      scope.addHook('onRequest', (request, reply, done) => {
        const { readApiKey } = credentials;
        const requireApiKey =
          credentials.requireApiKey && !isOpen(request.url.slice(prefix.length), openPaths);
        // Avoids a promise if there are no credentials to read, because every request runs through this hook.
        if (!requireApiKey && !sendsCredentials(request)) {
          request.credentials = NO_CREDENTIALS;
          reserveBody(scope, request, reply, done);
          return;
        }
        const accept = (isService: boolean) => {
          if (isService) scope.visitors.readForService(request);
          reserveBody(scope, request, reply, done);
        };
        const reject = (error: Error) => {
          if (!(error instanceof CatalogueError)) return done(error);
          noteError(request, error);
          void reply.code(error.status).send(gatewayErrorBody(error));
        };
        readCredentials(request, { readApiKey, requireApiKey })
          .then((found) => {
            request.credentials = found;
            return isFromServiceRole(found, readApiKey);
          })
          .then(accept, reject);
      });
      await scope.register(service as FastifyPluginAsync<never>, serviceOptions as never);
    },
    { prefix },
  );
}

/** Allows URLs of up to `limits.longUrlBytes` for the routes of a service that are registered after this call. */
export function allowLongUrls(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, maxUrlBytes: limits.longUrlBytes };
  });
}

/** Rejects a large body if too many bytes of bodies are in transit already. */
function reserveBody(
  { bodyBudget }: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const bytes = bytesToReserve(request);
  if (bytes === 0) {
    done();
    return;
  }
  const release = bodyBudget.reserve(request, bytes);
  if (release === undefined) {
    const error = gatewayError('too_many_bodies');
    noteError(request, error);
    void reply.code(error.status).header('retry-after', '1').send(gatewayErrorBody(error));
    return;
  }
  reply.raw.once('close', release);
  done();
}

/** Returns the name of a service by its prefix: `rest` for `/rest/v1`, `pg` for `/pg`. */
function nameOf(prefix: string): string {
  return /^\/([a-z]+)(?:\/v1)?$/.exec(prefix)?.[1] ?? NO_SERVICE;
}

function isOpen(target: string, openPaths: readonly string[]): boolean {
  const path = target.split('?', 1)[0] ?? '';
  return openPaths.some((open) => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open));
}
