/** Opens the functions of a project: their processes, and what these need from the server. */
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Logger } from '@greenroom/log';
import { DENO_CONFIGS, type ProjectFunction } from '@greenroom/project';
import type { FunctionsMetrics } from '../metrics.ts';
import type { FunctionsConfig } from '../settings.ts';
import { type ConnectToApi, openApiSocket } from './api-socket.ts';
import { environmentOf, type FunctionPlatform } from './environment.ts';
import { Functions } from './functions.ts';
import type { LogFeed } from './log-feed.ts';
import type { Preparation } from './preparation.ts';
import { rememberPrepared } from './prepared-functions.ts';
import { API_SOCKET, createRunFolder } from './run-folder.ts';
import { watchFiles, watchFolder } from './watch-folder.ts';

/** The project whose functions are served. */
export interface FunctionsProject {
  /** Absolute path of the folder of the functions, which need not exist; undefined without a project. */
  folder: string | undefined;
  /** Lists its functions as they are now. */
  list(): Promise<readonly ProjectFunction[]>;
  /** Returns its secrets as they are now. */
  secrets(): Promise<ReadonlyMap<string, string>>;
  /** Calls the listener when the list may have changed without a change in the folder. */
  onChange(listener: () => void): void;
}

/** Options of {@link openFunctions}. */
interface OpenFunctionsOptions {
  config: FunctionsConfig;
  project: FunctionsProject;
  platform: FunctionPlatform;
  preparation: Preparation;
  connectToApi: ConnectToApi;
  /** Origins by which functions may name the API. */
  apiOrigins: readonly string[];
  /** Whether changes of files are served at once. */
  watches: boolean;
  metrics: FunctionsMetrics;
  /** Receives the lines of all functions. */
  feed: LogFeed;
  /** Returns which function has an inspector now. Default: that of the settings. */
  inspector?(): FunctionsConfig['inspector'];
  log: Logger;
}

/** The running functions. */
interface OpenFunctions {
  functions: Functions;
  /** Whether a connection that the server accepted comes from a function. */
  isFromFunction(connection: Socket): boolean;
  close(): Promise<void>;
}

/** Opens the functions. Rejects if their folders cannot be created. */
export async function openFunctions(options: OpenFunctionsOptions): Promise<OpenFunctions> {
  const { config, project, platform, metrics, log } = options;
  await using resources = new AsyncDisposableStack();
  const runFolder = await createRunFolder();
  resources.defer(() => runFolder.remove());
  const apiSocket = await openApiSocket(join(runFolder.path, API_SOCKET), options.connectToApi);
  resources.defer(() => apiSocket.close());
  const functions = new Functions({
    config,
    feed: options.feed,
    inspector: options.inspector ?? (() => config.inspector),
    runFolder,
    apiSocket: apiSocket.path,
    apiOrigins: options.apiOrigins,
    list: project.list,
    ...options.preparation,
    prepare: rememberPrepared(async (source) => {
      const { preparation } = options;
      const { name } = source;
      const prepared = await preparation.prepare(source);
      const [program, user] = [await preparation.program(), await preparation.userOf(name)];
      const { warmCache } = await import('./warm-cache.ts');
      await warmCache({ name, prepared, config, program, runFolder, user });
      return prepared;
    }),
    environment: async ({ env }) => environmentOf(platform, new Map([...(await project.secrets()), ...env])),
    metrics,
    log,
  });
  resources.defer(() => functions.close());
  const refresh = () => {
    functions.refresh().catch((error: unknown) => log.error({ err: error }, 'functions could not be read'));
  };
  project.onChange(refresh);
  if (options.watches && project.folder !== undefined) {
    const watch = watchFolder(project.folder, refresh);
    resources.defer(() => watch.close());
    const watchAbove = watchFiles(dirname(project.folder), DENO_CONFIGS, refresh);
    resources.defer(() => watchAbove.close());
  }
  const owned = resources.move();
  return { functions, isFromFunction: apiSocket.isSourceOf, close: () => owned.disposeAsync() };
}
