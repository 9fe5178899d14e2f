/** Opens the functions of a project: their processes, and what these need from the server. */
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@greenroom/log';
import type { ProjectFunction } from '@greenroom/project';
import type { FunctionsMetrics } from '../metrics.ts';
import type { FunctionsConfig } from '../settings.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';
import { StartFailure } from '../start-failure.ts';
import { type ConnectToApi, openApiSocket } from './api-socket.ts';
import { findDeno } from './deno-program.ts';
import { environmentOf, type FunctionPlatform } from './environment.ts';
import { Functions } from './functions.ts';
import { findLauncher } from './launcher.ts';
import { openPreparedFolder, reachableProgram } from './places.ts';
import { API_SOCKET, createRunFolder } from './run-folder.ts';
import { openUsers, type Users } from './users.ts';
import { watchFolder } from './watch-folder.ts';

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
  /** Folder of the instance, in which prepared copies are kept. */
  dataFolder: string;
  connectToApi: ConnectToApi;
  /** Origins by which functions may name the API. */
  apiOrigins: readonly string[];
  /** Whether changes of files are served at once. */
  watches: boolean;
  metrics: FunctionsMetrics;
  log: Logger;
}

/** The running functions. */
interface OpenFunctions {
  functions: Functions;
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
  const prepared = createPreparation(options);
  const functions = new Functions({
    config,
    runFolder,
    apiSocket: apiSocket.path,
    apiOrigins: options.apiOrigins,
    list: project.list,
    ...prepared,
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
  }
  const owned = resources.move();
  return { functions, close: () => owned.disposeAsync() };
}

/** Prepares functions for their users. The folder and the program are found when the first function is prepared. */
function createPreparation({ dataFolder, project, log }: OpenFunctionsOptions) {
  let places: Promise<Places> | undefined;
  const opened = () => {
    places ??= openPlaces(dataFolder);
    return places;
  };

  return {
    async prepare(source: ProjectFunction): Promise<PreparedFunction> {
      const { folder, deno, users } = await opened();
      const user = await users.of(source.name);
      const own = join(folder, source.name);
      const cache = join(own, 'cache');
      await mkdir(cache, { recursive: true });
      if (user) await chown(cache, user.uid, user.gid);
      const { prepareFunction } = await import('../source/prepare.ts');
      return prepareFunction({
        source,
        folder: own,
        cache,
        user,
        deno,
        packageFolders: [...(project.folder === undefined ? [] : [project.folder]), import.meta.dirname],
        log: (text) => log.info(text),
      });
    },
    async program() {
      const { launcher, deno } = await opened();
      return [...launcher, deno];
    },
    userOf: async (name: string) => (await opened()).users.of(name),
  };
}

interface Places {
  folder: string;
  deno: string;
  launcher: readonly string[];
  users: Users;
}

async function openPlaces(dataFolder: string): Promise<Places> {
  const program = findDeno();
  if (program === undefined) {
    throw new StartFailure(
      'Deno, which runs functions, is not installed. npm installs it with optional packages: npm install --include=optional',
    );
  }
  const folder = await openPreparedFolder(dataFolder);
  return {
    folder,
    deno: await reachableProgram(program, folder),
    launcher: await findLauncher(),
    users: await openUsers(join(folder, 'users.json')),
  };
}
