/** Error handlers of the storage routes. */
import { limits, logFailure, noteError } from '@greenroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { discardBody } from '../content/receive.ts';
import { failure } from '../errors.ts';
import { pathOf } from '../request/path.ts';
import { errorResponse, isServerFault } from './error-response.ts';
import { toStorageError } from './to-storage-error.ts';

/** For `setErrorHandler`. The cause of an unexpected error is logged and not sent to the client. */
export function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toStorageError(error);
  noteError(request, refusal);
  const { status, body } = errorResponse(refusal);
  if (isServerFault(refusal) && !request.raw.destroyed) {
    const { code, cause } = refusal;
    logFailure(request, { err: cause ?? refusal, code }, 'storage request failed');
  }
  drainBody(request, reply);
  // Overwrites headers that were already set for the content.
  for (const name of Object.keys(refusal.headers ?? {})) reply.header(name, refusal.headers?.[name]);
  return reply.code(status).send(request.method === 'HEAD' ? undefined : body);
}

const GROUPS = /^\/(?:bucket|object|render|s3|cdn|upload)(?:[/?]|$)/;

/** For `setNotFoundHandler`. */
export function respondWithNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return respondWithout(request, reply, '');
}

/**
 * Returns a handler for the paths of a feature that is disabled. Its response is that of an unknown route, and names the
 * setting.
 * @param feature e.g. `the S3 protocol is`
 */
export function respondWithDisabled(feature: string, { name, key }: { name: string; key: string }) {
  const reason = `: ${feature} disabled. Set ${key} in supabase/config.toml, or ${name}, to true`;
  return (request: FastifyRequest, reply: FastifyReply) => respondWithout(request, reply, reason);
}

function respondWithout(request: FastifyRequest, reply: FastifyReply, reason: string): FastifyReply {
  const path = pathOf(request);
  const message = `Route ${request.method}:${path} not found${reason}`;
  drainBody(request, reply);
  if (!GROUPS.test(path)) return reply.code(404).send({ message, error: 'Not Found', statusCode: 404 });
  return reply.code(404).send(errorResponse(failure('RouteNotFound', { message })).body);
}

/** Milliseconds that a client may continue to send a rejected body that is large or of unknown size. */
const DRAIN_MS = 3000;

/**
 * Reads and drops the rest of the body for a limited time, so that a client that is still sending can read the error
 * response. Otherwise the connection would be reset before the client reads it.
 */
export function drainBody({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return;
  reply.raw.once('finish', () => {
    if (discardBody({ headers, body: raw }, limits.drainedBodyBytes)) return;
    const late = setTimeout(() => raw.destroy(), DRAIN_MS).unref();
    raw.once('close', () => clearTimeout(late));
  });
}
