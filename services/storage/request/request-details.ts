/** Extracts the details of a request that policies can read. */
import type { FastifyRequest } from 'fastify';
import type { RequestDetails } from '../scope.ts';
import { pathOf } from './path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Value of `storage.operation()` for a route, e.g. `storage.object.upload`. */
    operation?: string;
  }
}

/** Returns the client address for limits per client; undefined if they do not apply to the request. */
export function addressOf({ isCounted, clientAddress }: FastifyRequest): string | undefined {
  return isCounted ? clientAddress : undefined;
}

/** Extracts the details of a request. */
export function requestDetailsOf(request: FastifyRequest): RequestDetails {
  const { operation = '' } = request.routeOptions.config;
  return {
    operation,
    method: request.method,
    path: pathOf(request),
    headers: JSON.stringify(request.headers),
    address: addressOf(request),
  };
}
