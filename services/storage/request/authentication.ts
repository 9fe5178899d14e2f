/** Hooks that authenticate the caller of a route. */
import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Caller, type CallerReader } from '../caller.ts';
import { failure } from '../errors.ts';
import { setClient } from '../fair-database.ts';
import { limitKeysOf } from '../limits.ts';
import type { AccessContext } from '../scope.ts';
import { addressOf, requestDetailsOf } from './request-details.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hooks below; undefined before them, and on routes without them. */
    storageCaller: Caller | undefined;
  }
}

/** Hooks for `preHandler`. */
interface Authentication {
  /** Requires a valid token. */
  required(request: FastifyRequest): Promise<void>;
  /** Treats the caller as anonymous without a valid token. */
  optional(request: FastifyRequest): Promise<void>;
  /** Requires a token of service_role. */
  serviceRole(request: FastifyRequest): Promise<void>;
}

/** Schema of routes that need a token. Its error for a missing token has the wording that clients know. */
export const AUTHORIZATION_HEADERS = {
  type: 'object',
  properties: { authorization: { type: 'string' } },
  required: ['authorization'],
} as const;

/** Creates the hooks. */
export function createAuthentication(readCaller: CallerReader): Authentication {
  const required = async (request: FastifyRequest) => {
    // A header that is not a bearer token is rejected like an invalid token.
    request.storageCaller = await readCaller(request.credentials.bearer ?? '');
    countForCaller(request, request.storageCaller);
  };
  return {
    required,
    async optional(request) {
      const { bearer } = request.credentials;
      request.storageCaller = bearer === undefined ? ANONYMOUS : await readCaller(bearer).catch(orAnonymous);
      countForCaller(request, request.storageCaller);
    },
    async serviceRole(request) {
      await required(request);
      if (request.storageCaller?.role !== 'service_role') throw failure('InvalidRole');
    },
  };
}

function countForCaller(request: FastifyRequest, caller: Caller): void {
  request.userId = caller.subject;
  setClient(limitKeysOf({ caller, request: { address: addressOf(request) } }));
}

/** Returns the caller. Throws if the route has none of the hooks. */
function callerOf({ storageCaller }: FastifyRequest): Caller {
  if (storageCaller === undefined) throw new Error('the route has no authentication hook');
  return storageCaller;
}

/** Returns the caller and the request that policies are evaluated for. */
export function accessContextOf(request: FastifyRequest): AccessContext {
  return { caller: callerOf(request), request: requestDetailsOf(request) };
}

function orAnonymous(error: unknown): Caller {
  if (error instanceof Error && 'code' in error && error.code === 'AccessDenied') return ANONYMOUS;
  throw error;
}
