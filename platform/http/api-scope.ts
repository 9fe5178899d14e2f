/**
 * What stands in front of each service: cross-origin rules, then the API key. The order matters: a browser's
 * preflight carries no key.
 */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { CatalogueError } from '@greenroom/errors';
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginOptions, FastifyRequest } from 'fastify';
import { type CredentialOptions, readCredentials } from './credentials.ts';
import { gatewayErrorBody } from './errors.ts';

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
// Put together once, and not for each answer.
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'].join(', ');
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
].join(', ');

/** What a service has to say about requests of pages from elsewhere. */
export interface CorsRules {
  /** Asked for each request; undefined lets all pages in. A page that is let in by name may send its cookies, too. */
  allowedOrigins(): readonly string[] | undefined;
  /** The service answers OPTIONS itself, unless a browser asks what it may send. */
  answersOptions: boolean;
  /** Headers of answers that pages may read, besides those of all services. */
  exposedHeaders?: readonly string[];
}

/** Options of {@link registerApiScope}. */
export interface ApiScopeOptions<Options extends FastifyPluginOptions> {
  prefix: string;
  service: FastifyPluginAsync<Options>;
  serviceOptions: Options;
  credentials: CredentialOptions;
  /** Cross-origin rules of the service's own. */
  cors?: CorsRules;
  /** Paths below the prefix that are open without an API key: links in mails, public keys. `*` ends a prefix. */
  openPaths: readonly string[];
}

/** Registers a service under its prefix, behind cross-origin rules and the API key check. */
export async function registerApiScope<Options extends FastifyPluginOptions>(
  server: FastifyInstance,
  { prefix, service, serviceOptions, credentials, openPaths, cors: rules }: ApiScopeOptions<Options>,
): Promise<void> {
  await server.register(
    async (scope) => {
      await scope.register(cors, { delegator: (request, done) => done(null, corsOptions(request, rules)) });
      scope.addHook('onRequest', async (request, reply) => {
        const open = isOpen(request.url.slice(prefix.length), openPaths);
        try {
          const options = open ? { ...credentials, requireApiKey: false } : credentials;
          request.credentials = await readCredentials(request, options);
        } catch (error) {
          if (!(error instanceof CatalogueError)) throw error;
          return reply.code(error.status).send(gatewayErrorBody(error));
        }
      });
      await scope.register(service as FastifyPluginAsync<never>, serviceOptions as never);
    },
    { prefix },
  );
}

function corsOptions({ headers }: FastifyRequest, rules: CorsRules | undefined): FastifyCorsOptions {
  const asked = headers['access-control-request-headers'];
  const origins = rules?.allowedOrigins();
  return {
    ...(origins === undefined ? { origin: '*' } : { origin: [...origins], credentials: true }),
    preflight: !rules?.answersOptions || headers['access-control-request-method'] !== undefined,
    // Whoever is asked by OPTIONS has one status for all who ask.
    optionsSuccessStatus: rules?.answersOptions ? 200 : 204,
    methods: METHODS,
    allowedHeaders: asked ? asked.split(',').map((name) => name.trim()) : CLIENT_HEADERS,
    exposedHeaders: rules?.exposedHeaders
      ? `${EXPOSED_HEADERS}, ${rules.exposedHeaders.join(', ')}`
      : EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  };
}

function isOpen(target: string, openPaths: readonly string[]): boolean {
  const path = target.split('?', 1)[0] ?? '';
  return openPaths.some((open) => (open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open));
}
