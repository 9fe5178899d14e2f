/**
 * Controls which pages of other origins may read responses (Fetch Standard §3.3, "CORS protocol"). This is not a
 * plugin, because every request of every service runs through it: values that depend on the service only are computed
 * once.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Headers that the official clients send; listed by name if a preflight requests none. */
const CLIENT_HEADERS = [
  'accept',
  'accept-profile',
  'apikey',
  'authorization',
  'cache-control',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'x-client-info',
  'x-metadata',
  'x-retry-count',
  'x-supabase-api-version',
  'x-upsert',
];
const METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD';
const EXPOSED_HEADERS = [
  'content-encoding',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'link',
  'location',
  'preference-applied',
  'range-unit',
  'transfer-encoding',
  'x-request-id',
  'x-sb-error-code',
  'x-supabase-api-version',
  'x-total-count',
];
/** Time for which a browser may cache a preflight response. */
const MAX_AGE_SECONDS = 86_400;

/** Cross-origin rules of a service. */
export interface CorsRules {
  /**
   * Called for each request. Undefined allows all origins. A page of an origin that is listed by name may also send its
   * cookies.
   */
  allowedOrigins(): readonly string[] | undefined;
  /** Whether the service handles OPTIONS itself, except for preflights. */
  handlesOptions: boolean;
  /** Whether it handles preflights, too. Default: false. */
  handlesPreflights?: boolean;
  /** Response headers that pages may read, in addition to those of all services. */
  exposedHeaders?: readonly string[];
  /**
   * For protocols that define their own lists: the headers that may be read, which replace the defaults, and the
   * headers that may be sent, given the requested ones.
   */
  lists?: { exposed: readonly string[]; allowed: (requested: readonly string[]) => readonly string[] };
}

/** Allows all origins, and responds to every OPTIONS request. */
const OPEN: CorsRules = { allowedOrigins: () => undefined, handlesOptions: false };

/**
 * Adds CORS headers to the responses of a scope, and responds to preflights before any other hook handles the request.
 */
export function registerCors(scope: FastifyInstance, rules: CorsRules = OPEN): void {
  const exposed = rules.lists?.exposed ?? [...EXPOSED_HEADERS, ...(rules.exposedHeaders ?? [])];
  const exposedHeaders = exposed.join(', ');
  scope.addHook('onRequest', (request, reply, done) => {
    allowOrigin(request, reply, rules.allowedOrigins());
    reply.header('access-control-expose-headers', exposedHeaders);
    if (request.method === 'OPTIONS' && isPreflight(request, rules))
      respondToPreflight(request, reply, rules);
    else done();
  });
  // A preflight may also be sent for an unknown path of the scope.
  scope.options('*', (_request, reply) => reply.callNotFound());
}

function allowOrigin({ headers }: FastifyRequest, reply: FastifyReply, origins?: readonly string[]): void {
  if (origins === undefined) {
    reply.header('access-control-allow-origin', '*');
    return;
  }
  const { origin } = headers;
  const allowed = origins.includes('*') ? '*' : origins.find((each) => each === origin);
  if (allowed !== undefined) reply.header('access-control-allow-origin', allowed);
  reply.header('access-control-allow-credentials', 'true').header('vary', 'Origin');
}

function isPreflight(
  { headers }: FastifyRequest,
  { handlesOptions, handlesPreflights = false }: CorsRules,
): boolean {
  if (handlesPreflights) return false;
  return !handlesOptions || headers['access-control-request-method'] !== undefined;
}

function respondToPreflight(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { handlesOptions, lists }: CorsRules,
): void {
  const requested = headers['access-control-request-headers']?.split(',').map((name) => name.trim());
  const allowed = (requested && lists?.allowed(requested)) ?? requested ?? CLIENT_HEADERS;
  void reply
    // Services that handle OPTIONS themselves respond to all of it with the same status.
    .code(handlesOptions ? 200 : 204)
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': String(MAX_AGE_SECONDS),
      'content-length': '0',
    })
    .send();
}
