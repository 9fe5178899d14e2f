/** Logs and counts each request when its response has been sent. */
import type { CatalogueError } from '@greenroom/errors';
import type { Logger } from '@greenroom/log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Template of the route, e.g. `/auth/v1/admin/users/:userId`; services may set a more precise name of a closed set. */
    operation: string;
    /** Code of the error in the response, for the log; undefined without one. */
    errorCode: string | undefined;
    /** Name of the limit that rejected the request, of a closed set. */
    limit: string | undefined;
    /** Claim `sub` of the verified token; undefined without a token of a user. */
    userId: string | undefined;
  }
}

/** The operation of requests that no route matches. */
export const NO_OPERATION = 'none';
/** The limit of a 429 response that no limit of the server caused, e.g. that of a function. */
const OTHER_LIMIT = 'other';
const MAX_LOGGED_PATH = 1024;

/** Notes the error that a request is rejected with, for its log line and the metric of limits. */
export function noteError(request: FastifyRequest, { code, limit }: CatalogueError): void {
  request.errorCode = code;
  request.limit = limit ?? code;
}

/**
 * Logs one line, and updates the metrics. The query may contain tokens, so only the path is logged. Addresses and ids of
 * users are logged, but are in no metric.
 */
export function observe(request: FastifyRequest, reply: FastifyReply, log: Logger, metrics: Metrics): void {
  const { id: reqId, method, service, operation } = request;
  const { elapsedTime } = reply;
  const status = reply.raw.statusCode;
  metrics.requestSeconds.observe({ service, operation, method, status }, elapsedTime / 1000);
  metrics.window.record(service, status, elapsedTime);
  if (status === 429) metrics.limited.inc({ service, limit: request.limit ?? OTHER_LIMIT });
  if (!log.isLevelEnabled('info')) return;
  const path = (request.url.split('?', 1)[0] ?? '').slice(0, MAX_LOGGED_PATH);
  const ms = Math.round(elapsedTime * 100) / 100;
  const client = request.clientAddress || undefined;
  const { userId, errorCode: code } = request;
  log.info({ reqId, method, path, status, ms, client, userId, code }, 'request');
}
