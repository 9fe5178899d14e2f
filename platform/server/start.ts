/**
 * Puts an instance together, in the order in which a request meets it: limits and logs, then each service behind
 * its API key, then the pages for everything else.
 */
import { randomBytes } from 'node:crypto';
import type { PageOptions } from '@greenroom/app';
import { authService } from '@greenroom/auth';
import type { Config } from '@greenroom/config';
import { writeInstanceRecord } from '@greenroom/data-folder';
import {
  createHttpServer,
  createLogger,
  createMetrics,
  type Logger,
  PAGES_TOKEN_HEADER,
  registerApiScope,
} from '@greenroom/http';
import { type ApiKeys, createApiKeyReader } from '@greenroom/keys';
import type { FastifyInstance } from 'fastify';
import { type Backend, openBackend } from './backend.ts';
import { createDrain } from './drain.ts';
import { createFirstAdminToken, firstAdminLinks, firstAdminUrl } from './first-admin.ts';
import { registerHealth } from './health.ts';
import { registerMetrics } from './metrics-route.ts';
import type { Pages } from './pages.ts';

/** Paths of services, whether they run or not. */
const SERVICE_PATH = /^\/[a-z]+\/v1(?:\/|$)/;
/** Paths that a browser or another server opens without an API key, as the hosted gateway has them. */
const OPEN_AUTH_PATHS = ['/verify', '/callback', '/authorize', '/sso/saml/*', '/.well-known/*'];

/** Options of {@link startGreenroom}. */
export interface StartOptions {
  config: Config;
  /** `built` serves the production build, `dev` the sources with hot reload, `none` no pages at all. */
  pages: 'built' | 'dev' | 'none';
  /** Told what is going on while a person waits. */
  say?: (line: string) => void;
}

/** A running instance. */
export interface Greenroom {
  /** http://HOST:PORT */
  url: string;
  /** Undefined when the app runs alone on a hosted backend. */
  backend: { databaseUrl: string; apiKeys: ApiKeys; jwtSecret: string } | undefined;
  /** Only at the first start. */
  firstAdminUrl: string | undefined;
  /** Stops accepting, finishes what is running, then shuts PostgreSQL down. */
  close(): Promise<void>;
}

/** Starts an instance; resolves when it answers. */
export async function startGreenroom({ config, pages, say = () => {} }: StartOptions): Promise<Greenroom> {
  const log = createLogger(config.logLevel);
  const backend = config.app.hosted ? undefined : await openBackend(config, log, say);
  const metrics = createMetrics();
  const pagesToken = randomBytes(32).toString('base64url');
  let app: Pages | undefined;
  const server = createHttpServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    pagesToken,
    answerBadUrl: (request, reply) => {
      if (!app || SERVICE_PATH.test(request.url)) return false;
      app.answer(request, reply);
      return true;
    },
  });
  const drain = createDrain(server);
  const close = async () => {
    // Hot reload's socket never ends by itself.
    await app?.close();
    await drain();
    await backend?.close();
    log.flush();
  };
  try {
    const readApiKey = backend
      ? createApiKeyReader(backend.instanceKeys.apiKeys, backend.keys)
      : async () => undefined;
    registerHealth(server, healthChecks(backend));
    registerMetrics(server, metrics, readApiKey);
    if (backend) {
      await registerApiScope(server, {
        prefix: '/auth/v1',
        service: authService,
        serviceOptions: { config: config.auth, keys: backend.keys, database: backend.auth },
        credentials: { readApiKey, requireApiKey: config.requireApiKey },
        openPaths: OPEN_AUTH_PATHS,
      });
    }
    if (pages !== 'none') {
      app = await mountPages(pages, server, pageOptions({ config, backend, log, pagesToken }));
    }
    await server.listen({ host: config.host, port: config.port });
    if (backend) await noteWhereWeAre(backend, config);
    return await describe(config, backend, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loaded only where pages are wanted: React and its router are most of what there is to load. */
function mountPages(pages: 'built' | 'dev', server: FastifyInstance, options: PageOptions): Promise<Pages> {
  return import('./pages.ts').then(({ registerDevPages, registerPages }) =>
    pages === 'dev' ? registerDevPages(server, options) : registerPages(server, options),
  );
}

async function describe(
  config: Config,
  backend: Backend | undefined,
  close: () => Promise<void>,
): Promise<Greenroom> {
  const token = backend && (await createFirstAdminToken(backend.admin));
  return {
    url: config.localUrl,
    backend: backend && {
      databaseUrl: backend.databaseUrl,
      apiKeys: backend.instanceKeys.apiKeys,
      jwtSecret: backend.instanceKeys.jwtSecret,
    },
    firstAdminUrl: token && firstAdminUrl(config.siteUrl ?? config.localUrl, token),
    close,
  };
}

function healthChecks(backend: Backend | undefined): Record<string, () => Promise<unknown>> {
  return {
    app: async () => undefined,
    ...(backend && {
      database: () => backend.admin.query({ text: 'select 1' }),
      auth: () => backend.auth.query({ text: 'select from auth.users limit 1' }),
    }),
  };
}

function noteWhereWeAre({ folder, embedded }: Backend, config: Config): Promise<void> {
  return writeInstanceRecord(folder.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    apiUrl: config.localUrl,
    ...(embedded && { databasePort: embedded.port }),
  });
}

interface PageSources {
  config: Config;
  backend: Backend | undefined;
  log: Logger;
  pagesToken: string;
}

function pageOptions({ config, backend, log, pagesToken }: PageSources): PageOptions {
  const { app } = config;
  const keys = app.hosted ?? {
    url: config.localUrl,
    anonKey: backend?.instanceKeys.apiKeys.anon ?? '',
    serviceRoleKey: backend?.instanceKeys.apiKeys.serviceRole,
  };
  return {
    apiUrl: keys.url,
    publicApiUrl: app.hosted?.url,
    anonKey: keys.anonKey,
    // A secret of this process; a hosted backend has no use for it and must not see it.
    visitorHeaders: backend ? { [PAGES_TOKEN_HEADER]: pagesToken } : {},
    serviceRoleKey: keys.serviceRoleKey,
    siteUrl: config.siteUrl,
    googleClientId: app.googleClientId,
    firstAdmin: backend && firstAdminLinks(backend.admin),
    guard: {
      enabled: true,
      login: '/login',
      callback: '/confirm',
      include: app.guardInclude,
      exclude: app.guardExclude,
      saveRedirect: app.saveRedirect,
    },
    cookiePrefix: app.cookiePrefix,
    log,
  };
}
