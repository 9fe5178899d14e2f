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
import { createPreparationAhead } from './prepare-ahead.ts';
import { createPrepareToStart } from './prepare-to-start.ts';
import { API_SOCKET, createRunFolder, MODEL_SOCKET } from './run-folder.ts';
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
  /** Reads the project again. Changed functions are replaced; those without a process are prepared in the background. */
  refresh(): Promise<void>;
  /** Begins to prepare functions before their first requests, unless the settings turn that off. */
  prepareAhead(): void;
  /** Whether a connection that the server accepted comes from a function. */
  isFromFunction(connection: Socket): boolean;
  close(): Promise<void>;
}

/** Opens the functions. Rejects if their folders cannot be created. */
export async function openFunctions(options: OpenFunctionsOptions): Promise<OpenFunctions> {
  const { config, project, platform, preparation, metrics, log } = options;
  await using resources = new AsyncDisposableStack();
  const runFolder = await createRunFolder();
  resources.defer(() => runFolder.remove());
  const apiSocket = await openApiSocket(join(runFolder.path, API_SOCKET), options.connectToApi);
  resources.defer(() => apiSocket.close());
  const modelSocket = await openModels(join(runFolder.path, MODEL_SOCKET), { config, log });
  resources.defer(() => modelSocket?.close());
  const prepare = createPrepareToStart({ config, preparation, runFolder, metrics });
  const functions = new Functions({
    config,
    feed: options.feed,
    inspector: options.inspector ?? (() => config.inspector),
    runFolder,
    apiSocket: apiSocket.path,
    modelSocket: modelSocket?.path,
    apiOrigins: options.apiOrigins,
    list: project.list,
    ...preparation,
    prepare,
    environment: async ({ env }) => environmentOf(platform, new Map([...(await project.secrets()), ...env])),
    metrics,
    log,
  });
  resources.defer(() => functions.close());
  const ahead = createPreparationAhead({
    list: project.list,
    prepare: (source) => prepare(source, { isBackground: true }),
    log,
  });
  resources.defer(() => {
    const ended = ahead.close();
    preparation.close();
    return ended;
  });
  let isStarted = false;
  const prepareAhead = () => {
    isStarted = true;
    if (config.preparesAhead) ahead.run();
  };
  const refresh = async () => {
    ahead.pause();
    await functions.refresh();
    if (isStarted) prepareAhead();
  };
  const onChange = () => {
    refresh().catch((error: unknown) => log.error({ err: error }, 'functions could not be read'));
  };
  project.onChange(onChange);
  if (options.watches && project.folder !== undefined) {
    const watch = watchFolder(project.folder, onChange);
    resources.defer(() => watch.close());
    const watchAbove = watchFiles(dirname(project.folder), DENO_CONFIGS, onChange);
    resources.defer(() => watchAbove.close());
  }
  const owned = resources.move();
  const { isSourceOf: isFromFunction } = apiSocket;
  return { functions, refresh, prepareAhead, isFromFunction, close: () => owned.disposeAsync() };
}

/** Opens the way to the configured host of models; undefined without one. */
async function openModels(path: string, { config, log }: Pick<OpenFunctionsOptions, 'config' | 'log'>) {
  const { host, key } = config.models;
  if (host === undefined) return undefined;
  const { openModelSocket } = await import('../models/model-socket.ts');
  return openModelSocket({ path, host, key, log });
}
