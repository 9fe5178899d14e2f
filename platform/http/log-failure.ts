import type { FastifyRequest } from 'fastify';

/**
 * Logs a request that failed unexpectedly as an error, with its id. A request whose client disconnected before its body
 * was complete is logged at level `debug`, because no part of the server failed.
 */
export function logFailure(request: FastifyRequest, fields: object, message: string): void {
  const { raw, log, id: reqId } = request;
  const isAborted = raw.destroyed && !raw.complete;
  log[isAborted ? 'debug' : 'error']({ reqId, ...fields }, message);
}
