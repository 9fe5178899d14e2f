/** Builds the Fastify server: request ids, logs without secrets, limits, and errors raised before any service. */
import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { CatalogueError } from '@greenroom/errors';
import { createFairScheduler, widestNetworkOf } from '@greenroom/limits';
import type { Logger } from '@greenroom/log';
import { parse } from 'fast-querystring';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { NO_SERVICE } from './api-scope.ts';
import { createBodyBudget } from './body-budget.ts';
import { type BodyTimes, limitBodyTime } from './body-time.ts';
import { createConnections } from './connections.ts';
import { type GatewayErrorCode, gatewayError, gatewayErrorBody } from './errors.ts';
import { headerRejection } from './header-rules.ts';
import { createLazySchemas } from './lazy-schemas.ts';
import { limits } from './limits.ts';
import { logFailure } from './log-failure.ts';
import type { Metrics } from './metrics.ts';
import { NO_OPERATION, noteError, observe } from './observation.ts';
import { createRejectionDelay } from './rejected-bodies.ts';
import { createRequestIds } from './request-id.ts';
import { createUpgrades } from './upgrades.ts';
import { createVisitorReader } from './visitor.ts';
import { guardWire } from './wire-guard.ts';
import { createWireServer, type TlsOptions } from './wire-server.ts';

/** Options of {@link createHttpServer}. */
export interface HttpServerOptions {
  log: Logger;
  metrics: Metrics;
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-…` headers are trusted. */
  trustedProxies: readonly string[];
  /** Secret by which the app's own pages prove that they call a service on behalf of a visitor. */
  pagesToken?: string;
  /** Whether clients on the loopback are limited like all others. Default: false. */
  limitsLoopback?: boolean;
  /** Maximum number of connections of one client. Default: no limit. */
  maxConnectionsPerClient?: number;
  /** Timeouts of bodies. Default: those of {@link limits}. */
  bodyTimes?: BodyTimes;
  /** Certificate of a server with HTTPS. Default: the server speaks HTTP. */
  tls?: TlsOptions | undefined;
  /** Changes the target of a request before it is routed. */
  rewriteUrl?: (url: string) => string;
  /** Responds to a target that the router cannot parse, if it belongs to a page; returns whether it did. */
  respondToBadUrl?: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/** Creates the server. It does not listen yet, and responds to every path with 404 until services are registered. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { log, trustedProxies, limitsLoopback = false } = options;
  const { rewriteUrl = (url: string) => url } = options;
  const upgrades = createUpgrades(rewriteUrl);
  const { maxConnectionsPerClient: maxPerClient = Infinity } = options;
  const connections = createConnections({ maxPerClient, trustedProxies, limitsLoopback });
  const schemas = createLazySchemas();
  const server = Fastify({
    // Most of Fastify's own log lines below the level warn are irrelevant to operators.
    loggerInstance: log.child({}, { level: log.isLevelEnabled('warn') ? 'warn' : log.level }),
    // A child logger for each request costs more than the few lines that it would ever write.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(trustedProxies),
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => shortenPath(rewriteUrl(originForm(url))),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    schemaController: schemas.schemaController,
    routerOptions: { maxParamLength: limits.longUrlBytes, querystringParser: parseQuery },
    serverFactory: (handle) => {
      const http = createWireServer(
        {
          maxHeaderSize: limits.headerBytes,
          headersTimeout: limits.headersTimeoutMs,
          keepAliveTimeout: limits.keepAliveMs,
          // Each body has its own timeout, see body-time.ts; the timeout of headers remains.
          requestTimeout: 0,
          shouldUpgradeCallback: upgrades.shouldUpgrade,
        },
        guardWire(handle, connections),
        options.tls,
      );
      connections.limit(http);
      return http;
    },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      if (error.code === 'FST_ERR_BAD_URL' && options.respondToBadUrl?.(request, reply)) return;
      rejectUnroutable(error, reply);
    },
    clientErrorHandler: respondToUnreadable,
  }) as unknown as FastifyInstance;

  server.decorate('upgrades', upgrades);
  upgrades.listenTo(server);
  schemas.addTo(server);
  decorateRequests(server);
  addHooks(server, options);
  server.setErrorHandler(handleError);
  server.setNotFoundHandler((_request, reply) => {
    const error = gatewayError('not_found');
    return reply.code(error.status).send(gatewayErrorBody(error));
  });
  return server;
}

function decorateRequests(server: FastifyInstance): void {
  server.decorate(
    'bodyBudget',
    createBodyBudget({ maxPerClient: limits.bodyBytesPerClient, max: limits.bodyBytesInTotal }),
  );
  server.decorateRequest('credentials');
  server.decorateRequest('clientAddress', '');
  server.decorateRequest('isCounted', true);
  server.decorateRequest('service', NO_SERVICE);
  server.decorateRequest('operation', NO_OPERATION);
  server.decorateRequest('errorCode', undefined);
  server.decorateRequest('limit', undefined);
  server.decorateRequest('userId', undefined);
}

/** Adds limits, request ids and logs of every request. The hooks run in this order, before those of the services. */
function addHooks(server: FastifyInstance, options: HttpServerOptions): void {
  const { log, metrics, pagesToken, limitsLoopback = false } = options;
  const { bodyTimes = { totalMs: limits.bodyTimeoutMs, pauseMs: limits.bodyPauseMs } } = options;
  const visitors = createVisitorReader({ pagesToken, limitsLoopback });
  const scheduler = createFairScheduler({ maxPerIteration: 4, maxWaitingPerClient: 1000 });
  const rejectionDelay = createRejectionDelay();
  server.decorate('visitors', visitors);
  server.addHook('onRequest', (request, reply, done) => {
    const { url: template = NO_OPERATION, config } = request.routeOptions;
    const { streamsBody = false } = config;
    request.operation = template;
    limitBodyTime(request.raw, streamsBody, bodyTimes, (socket) => {
      if (!reply.raw.headersSent) respondToUnreadable(TOO_LATE, socket);
      socket.destroySoon();
    });
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    visitors.read(request);
    reply.header('x-request-id', request.id);
    const code = rejectionOf(request);
    if (code !== undefined) return reject(request, reply, code);
    if (!request.isCounted) return done();
    if (!scheduler.schedule(widestNetworkOf(request.clientAddress), () => continueIfConnected(request, done)))
      reject(request, reply, 'too_many_requests');
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    keepOpenForUnreadBody(request, reply);
    const delayMs = rejectionDelay(request, reply.statusCode);
    if (delayMs === 0) done(null, toOneWrite(payload));
    else setTimeout(done, delayMs, null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, log, metrics);
    done();
  });
}

function reject(request: FastifyRequest, reply: FastifyReply, code: GatewayErrorCode): void {
  const error = gatewayError(code);
  noteError(request, error);
  if (error.status === 429) reply.header('retry-after', '1');
  void reply.code(error.status).send(gatewayErrorBody(error));
}

/** Services that accept longer URLs parse their queries themselves. */
function parseQuery(text: string): Record<string, unknown> {
  return text.length === 0 || text.length > limits.urlBytes ? {} : parse(text);
}

/** Continues with a request unless its client has disconnected while it waited. */
function continueIfConnected({ raw }: FastifyRequest, done: () => void): void {
  if (!raw.socket.destroyed) done();
}

/** Returns the reason to reject a request before it is routed to a service; undefined if there is none. */
function rejectionOf({ originalUrl, raw, routeOptions }: FastifyRequest): GatewayErrorCode | undefined {
  const { maxUrlBytes = limits.urlBytes, maxHeaderBytes } = routeOptions.config;
  const isTooLong = originalUrl.length > maxUrlBytes || hasLongPath(originalUrl);
  return isTooLong ? 'uri_too_long' : headerRejection(raw.rawHeaders, maxHeaderBytes);
}

function hasLongPath(url: string): boolean {
  if (url.length <= limits.urlBytes) return false;
  const path = url.indexOf('?');
  return path === -1 || path > limits.urlBytes;
}

/**
 * Number of characters that suffice to find the service of a path, which determines the error format of the 414
 * response.
 */
const ROUTED_CHARACTERS = 256;

/** Truncates a path that is too long: the router would decode each of its escapes before the request is rejected. */
function shortenPath(url: string): string {
  if (!hasLongPath(url)) return url;
  return url.slice(0, ROUTED_CHARACTERS).split('%', 1)[0] ?? '/';
}

/** Proxies send absolute targets (RFC 9112 §3.2.2). */
function originForm(url: string): string {
  if (!url.startsWith('http')) return url;
  return /^https?:\/\/[^/?]*(?<path>\/.*)?$/i.exec(url)?.groups?.path ?? '/';
}

/**
 * Fastify closes the connection after a body that is too large, and a client that is still sending it would see a reset
 * instead of the 413. If the connection may stay open, Node.js reads and discards the rest of the body.
 */
function keepOpenForUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode !== 413) return;
  if (Number(request.headers['content-length']) <= limits.drainedBodyBytes) reply.removeHeader('connection');
}

/** Copying a longer payload would cost more than a second write. */
const MAX_ONE_WRITE_BYTES = 16 * 1024;

/** Node.js writes headers and a string in one piece, which costs less than headers and a buffer. */
function toOneWrite(payload: unknown): unknown {
  const isShortText = payload instanceof Buffer && payload.length <= MAX_ONE_WRITE_BYTES && isAscii(payload);
  return isShortText ? payload.toString('latin1') : payload;
}

/**
 * Handles errors that no service has converted to its own format. The log contains the stack of an unexpected error,
 * the response does not.
 */
function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof CatalogueError) return reply.code(error.status).send(gatewayErrorBody(error));
  const rejected = fastifyRejection(error);
  if (rejected) return reply.code(rejected.status).send(gatewayErrorBody(rejected));
  logFailure(request, { err: error }, 'request failed unexpectedly');
  const failure = gatewayError('unexpected_failure', { extra: { error_id: request.id } });
  return reply.code(failure.status).send(gatewayErrorBody(failure));
}

function fastifyRejection(error: FastifyError): CatalogueError | undefined {
  if (error.statusCode === 413) return gatewayError('body_too_large');
  if (error.statusCode === 503) return gatewayError('unavailable');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return gatewayError('bad_request', { message: error.message });
  }
  return undefined;
}

/** Rejects targets that the router cannot parse, e.g. `%ff`. */
function rejectUnroutable(error: FastifyError, reply: FastifyReply): void {
  const failure = gatewayError(error.code === 'FST_ERR_BAD_URL' ? 'bad_url' : 'bad_request');
  void reply.code(failure.status).send(gatewayErrorBody(failure));
}

const UNREADABLE: Record<string, GatewayErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The error with which Node.js reports a timeout. */
const TOO_LATE: NodeJS.ErrnoException = Object.assign(new Error('request timed out'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/**
 * Handles bytes that are not an HTTP request: no request object exists yet, so the response is written directly to the
 * socket.
 */
function respondToUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = gatewayError(UNREADABLE[error.code ?? ''] ?? 'bad_request');
  const body = JSON.stringify(gatewayErrorBody(failure));
  socket.end(
    `HTTP/1.1 ${failure.status} ${failure.code}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
