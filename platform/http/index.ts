/**
 * The HTTP server that every service plugs into: ids, limits, logs and metrics of requests, cross-origin rules and the
 * API key. It contains no endpoints.
 */
export { allowLongUrls, registerApiScope } from './api-scope.ts';
export { type CorsRules, registerCors } from './cors.ts';
export { type CredentialOptions, hasServiceRoleKey } from './credentials.ts';
export { gatewayErrors } from './errors.ts';
export { limits } from './limits.ts';
export { createLocalFetch } from './local-fetch.ts';
export { logFailure } from './log-failure.ts';
export { isSentToLoopback } from './loopback-host.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { type NotFoundContent, registerNotFoundRoutes } from './not-found-routes.ts';
export { noteError } from './observation.ts';
export {
  type Latencies,
  latencyAt,
  mergeLatencies,
  type RequestWindow,
  type WindowRequests,
} from './request-window.ts';
export { createHttpServer, type HttpServerOptions } from './server.ts';
export { createServiceKeyAccess, type ServiceKeyAccessOptions } from './service-key-access.ts';
export type { Upgrade } from './upgrades.ts';
export { PAGES_TOKEN_HEADER } from './visitor.ts';
export { isSecureServer, replaceCertificate } from './wire-server.ts';
