/** Opens functions: their processes, and the plugin. */
import { dirname, join } from 'node:path';
import { ownOrigins } from '@greenroom/network';
import type { OpenService, ServiceContext } from '@greenroom/service';
import { readServerCertificate } from '@greenroom/tls';
import { Registry } from 'prom-client';
import { type Deployed, openDeployed } from './deployed/open-deployed.ts';
import { withDeployed } from './deployed/with-deployed.ts';
import { createInstance } from './instance.ts';
import { createFunctionsMetrics } from './metrics.ts';
import { FUNCTIONS_CORS, functionsPlugin } from './plugin.ts';
import { FUNCTIONS_ROLE } from './roles.ts';
import { connectTo } from './runtime/connect-to-api.ts';
import { LogFeed } from './runtime/log-feed.ts';
import { type FunctionsProject, openFunctions } from './runtime/open-functions.ts';
import { createPreparation } from './runtime/preparation.ts';
import { createServeSession, type ServeSession } from './serve/session.ts';
import type { FunctionsConfig } from './settings.ts';

const PREFIX = '/functions/v1';

/** Time after the start before functions are prepared: the first requests, e.g. for pages, have priority. */
const PREPARATION_DELAY_MS = 1000;

type Context = ServiceContext<FunctionsConfig>;

/** Opens the service; without a project it has deployed functions only. Rejects without keys. */
export async function open(context: Context): Promise<OpenService> {
  const { config, keys, log } = context;
  if (keys === undefined) throw new Error('functions require the keys of the instance');
  await using resources = new AsyncDisposableStack();
  const registry = new Registry();
  const ofProject = projectOf(context);
  const preparation = createPreparation({
    dataFolder: context.pathOf('.'),
    projectFolder: ofProject.folder,
    downloads: config.downloads,
    log,
  });
  const prefersProject = context.project?.isInDevelopment ?? false;
  const deployed: Deployed = openDeployed({
    ...databaseOf(context),
    key: keys.tokens.derive('functions secrets'),
    keptVersions: config.keptVersions,
    preparation,
    log,
    onFunctions: () => opened.refresh(),
    onSecrets: () => opened.functions.replaceAll(),
  });
  resources.defer(() => deployed.close());
  const session: ServeSession = createServeSession(async () => {
    await opened.refresh();
    await opened.functions.replaceAll();
  });
  const feed = new LogFeed();
  const opened = await openFunctions({
    config,
    feed,
    inspector: () => ({ ...config.inspector, ...session.overrides?.inspector }),
    project: withDeployed(ofProject, deployed, {
      prefersProject,
      overrides: () => session.overrides,
    }),
    platform: { url: context.instance.externalUrl, apiKeys: keys.apiKeys, jwks: keys.tokens.jwks() },
    preparation,
    ...apiOf(context),
    watches: true,
    metrics: createFunctionsMetrics(registry),
    log,
  });
  resources.defer(() => opened.close());
  deployed.start();
  const instance = createInstance({ config, tokens: keys.accessTokens, functions: opened.functions });
  const projectFolder = ofProject.folder && dirname(dirname(ofProject.folder));
  const inspectorAddress = `127.0.0.1:${config.inspector.port}`;
  const served = { ofProject: ofProject.list, prefersProject, projectFolder, inspectorAddress };
  const management = { deployed, served, feed, session };
  const options = { instance, readApiKey: keys.readApiKey, management };
  const owned = resources.move();
  return {
    routes: [
      {
        prefix: PREFIX,
        plugin: (server) => functionsPlugin(server, options),
        openPaths: ['', '/*'],
        cors: FUNCTIONS_CORS,
      },
    ],
    upgrades: [`${PREFIX}/*`],
    health: {},
    metrics: registry,
    isFromOwnCode: opened.isFromFunction,
    onStarted: () => {
      setTimeout(opened.prepareAhead, PREPARATION_DELAY_MS).unref();
    },
    close: () => owned.disposeAsync(),
  };
}

/** Maximum number of connections for management; requests to functions use none. */
const MAX_CONNECTIONS = 3;
/** Management is rare, and each open connection costs several megabytes. */
const IDLE_MS = 1000;

function databaseOf({ database }: Context) {
  return {
    database: database.open(FUNCTIONS_ROLE, {
      name: 'functions',
      max: MAX_CONNECTIONS,
      idleTimeoutMs: IDLE_MS,
    }),
    listen: database.listen,
  };
}

const NO_PROJECT: FunctionsProject = {
  folder: undefined,
  list: async () => [],
  secrets: async () => new Map<string, string>(),
  onChange: () => undefined,
};

function projectOf({ project }: Context): FunctionsProject {
  if (project === undefined) return NO_PROJECT;
  return {
    folder: join(project.supabaseFolder, 'functions'),
    list: () => project.functions(),
    secrets: () => project.functionSecrets(),
    onChange: (listener) => project.onConfigChange(listener),
  };
}

/** Returns how functions reach the API, and the origins by which they name it. */
function apiOf({ instance }: Context) {
  const { hostname } = new URL(instance.localUrl);
  const certificate = async () => (await readServerCertificate(instance, { hasDataFolder: true }))?.cert;
  return {
    connectToApi: connectTo({ host: hostname.replaceAll(/[[\]]/g, ''), port: instance.port }, certificate),
    apiOrigins: ownOrigins(instance),
  };
}
