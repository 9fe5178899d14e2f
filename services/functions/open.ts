/** Opens functions: their processes, and the plugin. */
import { join } from 'node:path';
import { createFairQueue } from '@greenroom/limits';
import type { OpenService, ServiceContext } from '@greenroom/service';
import { readServerCertificate } from '@greenroom/tls';
import { Registry } from 'prom-client';
import { createFunctionsMetrics } from './metrics.ts';
import { FUNCTIONS_CORS, functionsPlugin } from './plugin.ts';
import { connectTo } from './runtime/connect-to-api.ts';
import { type FunctionsProject, openFunctions } from './runtime/open-functions.ts';
import type { FunctionsConfig } from './settings.ts';

const PREFIX = '/functions/v1';

/** Names of the server inside the containers of the Supabase CLI, which functions and their settings contain. */
const CONTAINER_ORIGINS = ['http://kong:8000', 'http://supabase_kong:8000'];

type Context = ServiceContext<FunctionsConfig>;

/** Opens the service; without a project it has no functions. Rejects without keys. */
export async function open(context: Context): Promise<OpenService> {
  const { config, keys } = context;
  if (keys === undefined) throw new Error('functions require the keys of the instance');
  const registry = new Registry();
  const opened = await openFunctions({
    config,
    project: projectOf(context),
    platform: { url: context.instance.externalUrl, apiKeys: keys.apiKeys, jwks: keys.tokens.jwks() },
    dataFolder: context.pathOf('.'),
    ...apiOf(context),
    watches: true,
    metrics: createFunctionsMetrics(registry),
    log: context.log,
  });
  const instance = {
    config,
    tokens: keys.accessTokens,
    queue: createFairQueue({
      max: config.maxRequests,
      maxPerClient: config.maxRequestsPerClient,
      maxWaiting: 0,
      maxWaitingPerClient: 0,
    }),
    functions: opened.functions,
  };
  const options = { instance, readApiKey: keys.readApiKey };
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
    close: () => opened.close(),
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

/** Returns where the server listens, and the origins by which functions name it. */
function apiOf({ instance }: Context) {
  const { localUrl, externalUrl, appUrl, port } = instance;
  const { hostname } = new URL(localUrl);
  const names = ['localhost', '127.0.0.1', 'host.docker.internal', hostname];
  const local = names.flatMap((name) => [`http://${name}:${port}`, `https://${name}:${port}`]);
  const certificate = async () => (await readServerCertificate(instance, { hasDataFolder: true }))?.cert;
  const origins = [externalUrl, appUrl, localUrl].map((url) => new URL(url).origin);
  return {
    connectToApi: connectTo({ host: hostname.replaceAll(/[[\]]/g, ''), port }, certificate),
    apiOrigins: [...new Set([...origins, ...local, ...CONTAINER_ORIGINS])],
  };
}
