/**
 * The HTTP server that every service plugs into: identity, limits, logs and metrics of a request, cross-origin
 * rules and the API key. Not in charge of what any path answers.
 */
export { allowLongUrls, registerApiScope } from './api-scope.ts';
export { type CorsRules, registerCors } from './cors.ts';
export { type CredentialOptions, hasServiceRoleKey } from './credentials.ts';
export { gatewayErrors } from './errors.ts';
export { limits } from './limits.ts';
export { logFailure } from './log-failure.ts';
export { isSentToLoopback } from './loopback-host.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { refuseOtherPaths } from './other-paths.ts';
export { createHttpServer, type HttpServerOptions } from './server.ts';
export type { Upgrade } from './upgrades.ts';
export { PAGES_TOKEN_HEADER } from './visitor.ts';
