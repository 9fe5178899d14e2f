/**
 * Puts an instance together, in the order in which a request meets it: limits and logs, then each service behind
 * its API key, then the pages for everything else.
 */

import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PageOptions } from '@greenroom/app';
import { authService } from '@greenroom/auth';
import { appUrl, type Config } from '@greenroom/config';
import { writeInstanceRecord } from '@greenroom/data-folder';
import {
  createHttpServer,
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  PAGES_TOKEN_HEADER,
  registerApiScope,
} from '@greenroom/http';
import {
  type ApiKeyReader,
  type ApiKeys,
  createApiKeyReader,
  s3KeyPairOf,
  secretsEqual,
} from '@greenroom/keys';
import { openMailbox } from '@greenroom/messages';
import {
  OPEN_REALTIME_PATHS,
  openRealtime,
  type RealtimeInstance,
  realtimeService,
} from '@greenroom/realtime';
import { openStorage, type StorageInstance } from '@greenroom/storage';
import type { FastifyInstance } from 'fastify';
import { type Backend, openBackend } from './backend.ts';
import { registerDataScope } from './data-scope.ts';
import { createDrain } from './drain.ts';
import { createFirstAdminToken, firstAdminLinks, firstAdminUrl } from './first-admin.ts';
import { registerHealth } from './health.ts';
import { warnOfLoopbackUrl } from './loopback-url.ts';
import { isForThisMachineOnly, registerMetrics } from './metrics-route.ts';
import type { Pages } from './pages.ts';
import { DATA_PATH, isServicePath, STORAGE_PATH, takeBaseFromServices } from './service-path.ts';
import { registerStorageScope } from './storage-scope.ts';
import { registerUnserved } from './unserved.ts';
import { VERSION } from './version.ts';

/** Paths that a browser or another server opens without an API key, as the hosted gateway has them. */
const OPEN_AUTH_PATHS = [
  '/verify',
  '/callback',
  '/authorize',
  '/sso/saml/*',
  '/.well-known/*',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/clients/register',
];

/** Options of {@link startGreenroom}. */
interface StartOptions {
  config: Config;
  /** `built` serves the production build, `dev` the sources with hot reload, `none` no pages at all. */
  pages: 'built' | 'dev' | 'none';
  /** Told what is going on while a person waits. */
  say?: (line: string) => void;
}

/** The details of a backend that the start prints. */
export interface BackendFacts {
  databaseUrl: string;
  apiKeys: ApiKeys;
  jwtSecret: string;
  dataFolder: string;
  /** Folder of the embedded database, if it lies outside of the data folder. */
  clusterElsewhere: string | undefined;
}

/** A running instance. */
export interface Greenroom {
  /** http://HOST:PORT */
  url: string;
  /** Undefined when the app runs alone on a hosted backend. */
  backend: BackendFacts | undefined;
  /** Only at the first start. */
  firstAdminUrl: string | undefined;
  /** Reloads the schema and the settings of the data API, and the configuration of the embedded PostgreSQL. */
  reload(): void;
  /** Stops accepting, finishes what is running, then shuts PostgreSQL down. Nothing is left out if a part fails. */
  close(): Promise<void>;
}

/** Starts an instance; resolves when it answers. */
export async function startGreenroom({ config, pages, say = () => {} }: StartOptions): Promise<Greenroom> {
  await using opened = new AsyncDisposableStack();
  const log = createLogger(config.logLevel);
  opened.defer(() => log.flush());
  const backend = config.app.hosted ? undefined : await openBackend(config, log, say);
  opened.defer(() => backend?.close());
  warnOfLoopbackUrl(config, (details, text) => log.warn(details, text));
  const metrics = createMetrics();
  const pagesToken = randomBytes(32).toString('base64url');
  const realtime = backend && openInstanceRealtime(config, backend, metrics, log);
  opened.defer(() => realtime?.close());
  const storage = backend && openInstanceStorage(config, backend, metrics, log);
  opened.defer(() => storage?.close());
  let app: Pages | undefined;
  const server = createHttpServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    limitsLoopback: config.limitsLoopback,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    pagesToken,
    rewriteUrl: takeBaseFromServices(config.app.baseURL),
    answerBadUrl: (request, reply) => {
      if (!app || isServicePath(request.url)) return false;
      app.answer(request, reply);
      return true;
    },
  });
  opened.defer(createDrain(server));
  // Before the drain: hot reload's socket never ends by itself.
  opened.defer(() => app?.close());
  const readApiKey = apiKeyReader(config, backend);
  registerHealth(server, healthChecks(backend, realtime, storage), {
    version: VERSION,
    schema: backend?.schema,
  });
  registerMetrics(server, metrics, { readApiKey, requireKey: !isForThisMachineOnly(config) });
  if (backend) {
    await registerApiScope(server, {
      prefix: '/auth/v1',
      service: authService,
      serviceOptions: {
        config: config.auth,
        keys: backend.keys,
        database: backend.auth,
        outbox: backend.outbox,
        mailbox: openMailbox(backend.admin),
      },
      credentials: { readApiKey, requireApiKey: config.requireApiKey },
      openPaths: OPEN_AUTH_PATHS,
    });
    await registerDataScope(server, {
      prefix: DATA_PATH,
      instance: backend.data,
      credentials: { readApiKey, requireApiKey: config.requireApiKey },
    });
  }
  if (backend && realtime) {
    await registerApiScope(server, {
      prefix: '/realtime/v1',
      service: realtimeService,
      serviceOptions: {
        instance: realtime,
        readApiKey,
        keylessToken: config.requireApiKey ? undefined : backend.instanceKeys.apiKeys.anon,
      },
      credentials: { readApiKey, requireApiKey: config.requireApiKey },
      openPaths: OPEN_REALTIME_PATHS,
    });
  }
  if (storage) {
    await registerStorageScope(server, { prefix: STORAGE_PATH, instance: storage, readApiKey });
  }
  await registerUnserved(server);
  if (pages !== 'none') {
    app = await mountPages(pages, server, pageOptions({ config, backend, log, pagesToken }));
  }
  await server.listen({ host: config.host, port: config.port });
  if (backend) await noteWhereWeAre(backend, config);
  const facts = await describe(config, backend);
  const kept = opened.move();
  return { ...facts, reload: () => reload(backend, log), close: () => kept.disposeAsync() };
}

/** The database first: the data API then reads settings that the database has taken over. */
function reload(backend: Backend | undefined, log: Logger): void {
  const reloaded = backend?.embedded?.reload() ?? Promise.resolve();
  void reloaded
    .catch((error: unknown) =>
      log.error({ err: error }, 'the configuration of PostgreSQL could not be reloaded'),
    )
    .then(() => backend?.data.reload());
}

function openInstanceRealtime(
  { realtime: config }: Config,
  { keys, realtime: database, feed, nodes }: Backend,
  { registry }: Metrics,
  log: Logger,
): RealtimeInstance {
  return openRealtime({ config, keys, database, feed, nodes, registry, log });
}

function openInstanceStorage(
  { storage: config }: Config,
  { keys, instanceKeys, storage: database, store }: Backend,
  { registry }: Metrics,
  log: Logger,
): StorageInstance {
  const { jwtSecret, apiKeys, file } = instanceKeys;
  const s3Keys = { ...s3KeyPairOf(config.s3Protocol, file), anonKey: apiKeys.anon };
  return openStorage({ config, keys, jwtSecret, s3Keys, database, store, registry, log });
}

/** A hosted backend's keys are not ours: of them we know only the one that we were given for its admin area. */
function apiKeyReader({ app }: Config, backend: Backend | undefined): ApiKeyReader {
  if (backend) return createApiKeyReader(backend.instanceKeys.apiKeys, backend.keys);
  const serviceRoleKey = app.hosted?.serviceRoleKey;
  return async (key) =>
    serviceRoleKey !== undefined && secretsEqual(key, serviceRoleKey)
      ? { role: 'service_role', token: key }
      : undefined;
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
): Promise<Omit<Greenroom, 'reload' | 'close'>> {
  const token = backend && (await createFirstAdminToken(backend.admin));
  return {
    url: config.localUrl,
    backend: backend && factsOf(backend),
    firstAdminUrl: token && firstAdminUrl(appUrl(config, config.localUrl), token),
  };
}

function factsOf({ databaseUrl, instanceKeys, folder, embedded }: Backend): BackendFacts {
  const isInside = embedded === undefined || dirname(embedded.directory) === realpathSync(folder.path);
  return {
    databaseUrl,
    apiKeys: instanceKeys.apiKeys,
    jwtSecret: instanceKeys.jwtSecret,
    dataFolder: folder.path,
    clusterElsewhere: isInside ? undefined : embedded.directory,
  };
}

function healthChecks(
  backend: Backend | undefined,
  realtime: RealtimeInstance | undefined,
  storage: StorageInstance | undefined,
): Record<string, () => Promise<unknown>> {
  return {
    app: async () => undefined,
    ...(backend && {
      database: () => backend.admin.query({ text: 'select 1' }),
      auth: () => backend.auth.query({ text: 'select from auth.users limit 1' }),
      data: () => backend.data.requireReady(),
      disk: () => backend.folder.requireUsable(),
    }),
    ...(realtime && { realtime: () => realtime.requireReady() }),
    ...(backend?.nodes && { nodes: async () => backend.nodes?.requireReady() }),
    ...(storage && { storage: () => storage.requireReady() }),
  };
}

function noteWhereWeAre({ folder, embedded }: Backend, config: Config): Promise<void> {
  return writeInstanceRecord(folder.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    ready: true,
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
    publicUrl: config.publicUrl,
    place: { baseURL: app.baseURL, cdnURL: app.cdnURL, buildAssetsDir: app.buildAssetsDir },
    buildCheckSeconds: app.buildCheckSeconds,
    redirects: app.redirects,
    googleClientId: app.googleClientId,
    captcha: app.captcha,
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
