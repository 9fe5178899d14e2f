/** What policies can ask about a request, besides who it comes from. */
import type { FastifyRequest } from 'fastify';
import type { RequestFacts } from '../scope.ts';
import { pathOf } from './path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What `storage.operation()` says of a route, e.g. `storage.object.upload`. */
    operation?: string;
  }
}

/** Address that limits per client count; undefined where they do not apply to the request. */
export function addressOf({ isCounted, clientAddress }: FastifyRequest): string | undefined {
  return isCounted ? clientAddress : undefined;
}

/** Reads them off a request. */
export function factsOf(request: FastifyRequest): RequestFacts {
  const { operation = '' } = request.routeOptions.config;
  return {
    operation,
    method: request.method,
    path: pathOf(request),
    headers: JSON.stringify(request.headers),
    address: addressOf(request),
  };
}
