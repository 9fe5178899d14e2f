/**
 * Starts an instance: data folder, keys and database, then every service, then the server with its routes, then the
 * pages for all other paths. Closing happens in reverse order.
 */
import { randomBytes } from 'node:crypto';
import type { ConfigSource } from '@greenroom/config';
import { createHttpServer, createMetrics, type Metrics } from '@greenroom/http';
import { type ApiKeyReader, secretsEqual } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { MailboxServers } from '@greenroom/mailbox';
import type { Product } from '@greenroom/product';
import type { ProjectToRun } from '@greenroom/project';
import type { ContentCopies, OpenService } from '@greenroom/service';
import { createPinnedFetch } from '@greenroom/tls';
import type { FastifyInstance } from 'fastify';
import { openAutomaticHttps } from './automatic-https.ts';
import { type Backend, openBackend } from './backend.ts';
import { type BackendInfo, infoOf, recordedInstance } from './backend-info.ts';
import type { BackedUp, ContinuousBackup } from './backup/continuous-backup.ts';
import { dropBackupSlot, isContinuous } from './backup-slot.ts';
import { createDrain } from './drain.ts';
import { createFirstAdminToken, firstAdminUrl } from './first-admin.ts';
import { createInstancePages, type InstancePages, loadPagesEarly, type PagesKind } from './instance-pages.ts';
import { createIpv6Listener, isOnIpv6 } from './listen-on-ipv6.ts';
import { warnOfLoopbackUrl } from './loopback-url.ts';
import { openMailbox } from './mailbox.ts';
import { createInstanceLog } from './operator/logs/instance-log.ts';
import type { SettingsFiles } from './operator/settings/settings-files.ts';
import { operatorTopics } from './operator/topics.ts';
import { PROBE, registerOperatorRoutes } from './operator-routes.ts';
import { type OwnCertificate, openOwnCertificate } from './own-certificate.ts';
import { setUpProjectBuckets } from './project-buckets.ts';
import { recordInstance, recordSettings } from './record-instance.ts';
import { createSettingsReload, type ReloadedSettings } from './reload-settings.ts';
import { openServices, prepareAll, registerServices, warnOfLocalContent } from './service-host.ts';
import { isServicePath, removeBaseFromServices } from './service-path.ts';
import { type CurrentProject, createServiceProject } from './service-project.ts';
import { enabledServices, type ListedService } from './services.ts';
import type { Config } from './settings.ts';
import { createSilence } from './silent-database.ts';

/** Options of {@link startGreenroom}. */
interface StartOptions {
  config: Config;
  /** The project that the instance runs. Default: none. */
  project?: ProjectToRun | undefined;
  /** The product in the folder of the project. Default: none. */
  product?: Product | undefined;
  /** `built` serves the production build, `dev` the sources with hot reload, `none` no pages. */
  pages: PagesKind;
  /** Services to start. Default: those that the configuration enables. The database is migrated for all of them. */
  services?: readonly ListedService[];
  /** Receives progress messages for the user. */
  onProgress?: (line: string) => void;
  /** Chooses the port of the embedded database. Default: the configured one, or the next free one if it is unset. */
  chooseDatabasePort?: () => Promise<number>;
  /** The files of the settings, for the admin area. Default: none, so that settings cannot be changed there. */
  settingsFiles?: SettingsFiles | undefined;
  /** Ends the wait for an external database; the start then rejects. */
  stopping?: AbortSignal;
}

/** A running instance. */
export interface Greenroom {
  /** http://HOST:PORT, or https://HOST:PORT. */
  url: string;
  /** Undefined if the app runs alone on a hosted backend. */
  backend: BackendInfo | undefined;
  /** The servers of the local mailbox; undefined if there are none. */
  mailbox: Pick<MailboxServers, 'url' | 'smtpPort' | 'pop3Port'> | undefined;
  /** Set if no link has been used and none is valid, e.g. at the first start. */
  firstAdminUrl: string | undefined;
  /** Reloads the settings of services in the database, and the configuration of the embedded PostgreSQL. */
  reload(): void;
  /** Applies the reloadable settings of a source. Rejects with `ConfigError` for a wrong value; then nothing changes. */
  applySettings(source: ConfigSource): Promise<ReloadedSettings>;
  /**
   * Applies what config.toml says about functions, and creates or changes the buckets of the project. Rejects with
   * `ProjectError`.
   */
  applyProject(project: ProjectToRun): Promise<void>;
  /** Shows pages with the values of a product that has changed, except for its pages themselves. */
  applyProduct(product: Product | undefined): Promise<void>;
  /**
   * Stops accepting, finishes running requests, then shuts PostgreSQL down. Closes every part, even if closing others
   * fails.
   */
  close(): Promise<void>;
}

/** Starts an instance; resolves when it accepts requests. */
export async function startGreenroom(options: StartOptions): Promise<Greenroom> {
  const { config, project, pages, services = enabledServices(config), onProgress = () => {} } = options;
  await using opened = new AsyncDisposableStack();
  const { log, store: logStore, close: closeLog } = createInstanceLog(config);
  opened.defer(closeLog);
  // Before the database is started: a wrong file changes nothing.
  const certificate = await openOwnCertificate(config, { hasDataFolder: !config.app.hosted });
  const silence = createSilence({ log });
  // Loading code blocks this process, and the start of the database does not need it.
  const backendSources = { ...options, onProgress, onWait: () => loadEarly(services, options), log, silence };
  const backend = config.app.hosted ? undefined : await openBackend(backendSources);
  opened.defer(() => backend?.close());
  if (backend) await logStore?.open(backend.folder.at('logs'));
  const backup = backend && (await openBackup({ config, backend, project, log }));
  warnOfLoopbackUrl(config, (details, text) => log.warn(details, text));
  const serviceProject = project && createServiceProject(project);
  const shared = { config, project: serviceProject, contentCopies: backup?.contentCopies, log };
  const host = backend && (await openBackendServices(services, { ...shared, backend }));
  opened.defer(() => silence.close(async () => host?.close()));
  // After the last request, while its content can still be read and removed.
  opened.defer(() => silence.close(async () => backup?.close()));
  const running = host?.services ?? [];
  const ready = Promise.all(running.map((service) => service.waitUntilReady?.()));
  // A rejection before the wait below is reported by that wait.
  ready.catch(() => undefined);

  // While services wait for the database: registering routes blocks this process.
  const metrics = createMetrics();
  const pagesToken = randomBytes(32).toString('base64url');
  const projectName = project?.name ?? 'Greenroom';
  const ownFetch = certificate && createPinnedFetch(config.localUrl, () => certificate.current().cert);
  const sources = { config, product: options.product, backend, projectName, log, pagesToken, ownFetch };
  const ownPages = createInstancePages(sources);
  const server = createServer({ config, certificate, log, metrics, pages: ownPages, pagesToken });
  const ipv6 = isOnIpv6(config, services) ? createIpv6Listener(server) : undefined;
  const drain = createDrain(server, { hurry: silence.signal });
  opened.defer(() => silence.close(drain));
  // Closed before the drain, because hot reload's socket never ends otherwise.
  opened.defer(() => ownPages.close());
  const readApiKey = backend?.keys.readApiKey ?? hostedKeyReader(config);
  let settings: ReturnType<typeof createReload> | undefined;
  const topics = operatorTopics({ ...options, backend, running: () => settings?.config() });
  const reported = { config, backend, services: running, certificate, backup, metrics, readApiKey, topics };
  const history = await registerOperatorRoutes(server, { ...reported, logStore, log });
  opened.defer(() => silence.close(async () => history?.close()));
  await registerServices(server, running, { readApiKey, requireApiKey: config.requireApiKey });
  await ownPages.mount(server, pages);
  const hasStorage = services.some(({ name }) => name === 'storage');
  const applyProject = createProjectUpdate(serviceProject, { server, backend, hasStorage, onProgress });
  await ready;
  warnOfLocalContent(running, (details, text) => log.warn(details, text));
  if (project) await applyProject(project);
  await server.listen({ host: config.host, port: config.port });
  await ipv6?.listen(config);
  const mailbox = backend && (await openMailbox(config, backend.admin, log));
  opened.defer(() => mailbox?.close());
  if (backend)
    opened.defer(await recordInstance(recordedInstance(backend, config, { mailbox, certificate })));
  const automaticHttps = await openAutomaticHttps({ config, backend, server, certificate, log, metrics });
  opened.defer(() => automaticHttps?.close());
  const token = backend && (await createFirstAdminToken(backend.admin));
  const parts = { backend, host, ownPages, server, certificate, automaticHttps };
  const reloading = createReload(config, parts);
  settings = reloading;
  for (const service of running) service.onStarted?.();
  backup?.start();
  const resources = opened.move();
  return {
    url: config.localUrl,
    backend: backend && infoOf(backend),
    mailbox,
    firstAdminUrl: token && firstAdminUrl(config.appUrl, token),
    reload: () => reload(backend, running, log),
    applySettings: (source) => reloading.apply(source),
    applyProject,
    applyProduct: (product) => ownPages.applyProduct(product),
    close: () =>
      silence.watch(
        async () => backend?.admin.query(PROBE),
        () => resources.disposeAsync(),
      ),
  };
}

interface ProjectUpdateParts
  extends Pick<Parameters<typeof setUpProjectBuckets>[0], 'server' | 'hasStorage' | 'onProgress'> {
  backend: Backend | undefined;
}

/** Returns the function that applies the declarations of a project: functions and buckets. */
function createProjectUpdate(
  serviceProject: CurrentProject | undefined,
  { backend, ...parts }: ProjectUpdateParts,
): (project: ProjectToRun) => Promise<void> {
  return async (project) => {
    serviceProject?.replace(project);
    if (backend) await setUpProjectBuckets({ ...parts, backend, project });
  };
}

/** Loads the code of backups only if the settings need it. Without it, the server keeps no log for an archive. */
async function openBackup(sources: BackedUp): Promise<ContinuousBackup | undefined> {
  const { config, backend, log } = sources;
  if (isContinuous(config)) {
    const { openContinuousBackup } = await import('./backup/continuous-backup.ts');
    return openContinuousBackup(sources);
  }
  if (backend.embedded)
    void dropBackupSlot(backend.admin).catch((error: unknown) =>
      log.warn({ err: error }, 'the log is still kept for a backup that is switched off'),
    );
  return undefined;
}

/** The parts of an instance that take new settings while it runs. */
interface ReloadableParts {
  backend: Backend | undefined;
  host: Awaited<ReturnType<typeof openBackendServices>> | undefined;
  ownPages: InstancePages;
  server: ReturnType<typeof createServer>;
  certificate: OwnCertificate | undefined;
  automaticHttps: Awaited<ReturnType<typeof openAutomaticHttps>>;
}

/** Applies new settings to every part, or to none if one of them refuses. */
function createReload(config: Config, parts: ReloadableParts): ReturnType<typeof createSettingsReload> {
  const { backend, host, ownPages, server, certificate, automaticHttps } = parts;
  return createSettingsReload(config, {
    prepare: (next) =>
      prepareAll([
        async () => host?.prepareSettings(next, next.source),
        async () => ownPages.prepare(next),
        async () => certificate?.prepare(next, server),
      ]),
    onApplied: async (next) => {
      const { cert } = certificate?.current() ?? {};
      if (backend) await recordSettings(next.source, { ...backend, certificate: cert });
      automaticHttps?.wake();
    },
  });
}

/** Starts to load the code of services and pages. A failure is reported when the code is used. */
function loadEarly(services: readonly ListedService[], { pages, product }: StartOptions): void {
  for (const service of services) service.load().catch(() => undefined);
  loadPagesEarly(pages, product);
}

interface ServerSources {
  config: Config;
  certificate: OwnCertificate | undefined;
  log: Logger;
  metrics: Metrics;
  pages: InstancePages;
  pagesToken: string;
}

function createServer(sources: ServerSources): FastifyInstance {
  const { config, certificate, log, metrics, pages, pagesToken } = sources;
  return createHttpServer({
    log,
    metrics,
    tls: certificate?.current(),
    trustedProxies: config.trustedProxies,
    limitsLoopback: config.limitsLoopback,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    pagesToken,
    rewriteUrl: removeBaseFromServices(config.app.baseURL),
    respondToBadUrl: (request, reply) => {
      return !isServicePath(request.url) && pages.respond(request, reply);
    },
  });
}

interface RunningBackend {
  config: Config;
  backend: Backend;
  project: CurrentProject | undefined;
  /** Copies of the content of objects. Default: none. */
  contentCopies?: ContentCopies | undefined;
  log: Logger;
}

function openBackendServices(list: readonly ListedService[], sources: RunningBackend) {
  const { config, backend, project, contentCopies, log } = sources;
  const { keys, database, messages, folder } = backend;
  const { source } = config;
  const pathOf = (name: string) => folder.at(name);
  const shared = { log, keys, database, messages, project, contentCopies, pathOf };
  return openServices(list, config, { instance: config, source, ...shared });
}

/** Reloads the database first, because services then reload settings from it. */
function reload(backend: Backend | undefined, running: readonly OpenService[], log: Logger): void {
  const reloaded = backend?.embedded?.reload() ?? Promise.resolve();
  void reloaded
    .catch((error: unknown) =>
      log.error(
        { err: error },
        'reloading the configuration of PostgreSQL failed; the previous settings stay active',
      ),
    )
    .then(() => {
      for (const service of running) service.reload?.();
    });
}

/** Accepts only the service key of a hosted backend that is configured for the admin area. */
function hostedKeyReader({ app }: Config): ApiKeyReader {
  const serviceRoleKey = app.hosted?.serviceRoleKey;
  return async (key) =>
    serviceRoleKey !== undefined && secretsEqual(key, serviceRoleKey)
      ? { role: 'service_role', token: key }
      : undefined;
}
