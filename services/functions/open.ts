/** Opens functions: their processes, and the plugin. */
import { join } from 'node:path';
import { ownOrigins } from '@greenroom/network';
import type { OpenService, ServiceContext } from '@greenroom/service';
import { readServerCertificate } from '@greenroom/tls';
import { Registry } from 'prom-client';
import { createInstance } from './instance.ts';
import { createFunctionsMetrics } from './metrics.ts';
import { FUNCTIONS_CORS, functionsPlugin } from './plugin.ts';
import { connectTo } from './runtime/connect-to-api.ts';
import { type FunctionsProject, openFunctions } from './runtime/open-functions.ts';
import type { FunctionsConfig } from './settings.ts';

const PREFIX = '/functions/v1';

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
  const instance = createInstance({ config, tokens: keys.accessTokens, functions: opened.functions });
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

/** Returns how functions reach the API, and the origins by which they name it. */
function apiOf({ instance }: Context) {
  const { hostname } = new URL(instance.localUrl);
  const certificate = async () => (await readServerCertificate(instance, { hasDataFolder: true }))?.cert;
  return {
    connectToApi: connectTo({ host: hostname.replaceAll(/[[\]]/g, ''), port: instance.port }, certificate),
    apiOrigins: ownOrigins(instance),
  };
}
