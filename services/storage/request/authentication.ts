/** Who sends a request: hooks for the routes that need to know. */
import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Caller, type CallerReader } from '../caller.ts';
import { setClient } from '../database-turns.ts';
import { failure } from '../errors.ts';
import { clientOf } from '../limits.ts';
import type { Asking } from '../scope.ts';
import { addressOf, factsOf } from './facts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hooks below; undefined before them, and on routes without. */
    storageCaller: Caller | undefined;
  }
}

/** Hooks for `preHandler`. */
interface Authentication {
  /** A valid token is needed. */
  required(request: FastifyRequest): Promise<void>;
  /** Without a valid token the caller is anonymous. */
  optional(request: FastifyRequest): Promise<void>;
  /** The token must be of service_role. */
  serviceRole(request: FastifyRequest): Promise<void>;
}

/** For schemas of routes that need a token: tells that it is missing in the words clients know. */
export const AUTHORIZATION_HEADERS = {
  type: 'object',
  properties: { authorization: { type: 'string' } },
  required: ['authorization'],
} as const;

/** Builds the hooks. */
export function createAuthentication(readCaller: CallerReader): Authentication {
  const required = async (request: FastifyRequest) => {
    // A header that is no bearer token is refused as a wrong token is.
    request.storageCaller = await readCaller(request.credentials.bearer ?? '');
    countAs(request, request.storageCaller);
  };
  return {
    required,
    async optional(request) {
      const { bearer } = request.credentials;
      request.storageCaller = bearer === undefined ? ANONYMOUS : await readCaller(bearer).catch(orAnonymous);
      countAs(request, request.storageCaller);
    },
    async serviceRole(request) {
      await required(request);
      if (request.storageCaller?.role !== 'service_role') throw failure('InvalidRole');
    },
  };
}

function countAs(request: FastifyRequest, caller: Caller): void {
  setClient(clientOf({ caller, request: { address: addressOf(request) } }));
}

/** The caller of a route that has one of the hooks. */
function callerOf({ storageCaller }: FastifyRequest): Caller {
  if (storageCaller === undefined) throw new Error('the route does not authenticate');
  return storageCaller;
}

/** Whom policies are asked about, and for what. */
export function askingOf(request: FastifyRequest): Asking {
  return { caller: callerOf(request), request: factsOf(request) };
}

function orAnonymous(error: unknown): Caller {
  if (error instanceof Error && 'code' in error && error.code === 'AccessDenied') return ANONYMOUS;
  throw error;
}
