/**
 * Which pages of other origins may read answers (Fetch Standard §3.3, "CORS protocol"). Written here, since every request
 * of every service comes by: what depends on the service alone is put together once, and a request only looks it up.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Headers that the official clients send; listed by name where a preflight asks for none. */
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
/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = 86_400;

/** What a service has to say about requests of pages from elsewhere. */
export interface CorsRules {
  /** Asked for each request; undefined lets all pages in. A page that is let in by name may send its cookies, too. */
  allowedOrigins(): readonly string[] | undefined;
  /** The service answers OPTIONS itself, unless a browser asks what it may send. */
  answersOptions: boolean;
  /** Headers of answers that pages may read, besides those of all services. */
  exposedHeaders?: readonly string[];
  /** Where a protocol says it all: what may be read instead of that, and what may be sent, given what is asked for. */
  lists?: { exposed: readonly string[]; allowed: (asked: readonly string[]) => readonly string[] };
}

/** Lets every page in, and answers every OPTIONS. */
const OPEN: CorsRules = { allowedOrigins: () => undefined, answersOptions: false };

/** Has the answers of a scope say who may read them, and answers preflights, before anything else looks at a request. */
export function registerCors(scope: FastifyInstance, rules: CorsRules = OPEN): void {
  const exposed = rules.lists?.exposed ?? [...EXPOSED_HEADERS, ...(rules.exposedHeaders ?? [])];
  const exposedHeaders = exposed.join(', ');
  scope.addHook('onRequest', (request, reply, done) => {
    allowOrigin(request, reply, rules.allowedOrigins());
    reply.header('access-control-expose-headers', exposedHeaders);
    if (request.method === 'OPTIONS' && isPreflight(request, rules)) answerPreflight(request, reply, rules);
    else done();
  });
  // What is asked for no path of the scope is a preflight, too.
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

function isPreflight({ headers }: FastifyRequest, { answersOptions }: CorsRules): boolean {
  return !answersOptions || headers['access-control-request-method'] !== undefined;
}

function answerPreflight(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { answersOptions, lists }: CorsRules,
): void {
  const asked = headers['access-control-request-headers']?.split(',').map((name) => name.trim());
  const allowed = (asked && lists?.allowed(asked)) ?? asked ?? CLIENT_HEADERS;
  void reply
    // Whoever is asked by OPTIONS has one status for all who ask.
    .code(answersOptions ? 200 : 204)
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': String(MAX_AGE_SECONDS),
      'content-length': '0',
    })
    .send();
}
