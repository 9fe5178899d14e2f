/** Prepares functions for their users. The folder and the program are found when the first function is prepared. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@greenroom/log';
import type { ProcessUser } from '../process-user.ts';
import type { FunctionsConfig } from '../settings.ts';
import { downloadSources } from '../source/download-sources.ts';
import { StartFailure } from '../start-failure.ts';
import { findDeno } from './deno-program.ts';
import { findLauncher } from './launcher.ts';
import { openPreparedFolder, reachableProgram } from './places.ts';
import { type Prepare, rememberPrepared } from './prepared-functions.ts';
import { openUsers, type Users } from './users.ts';

/** Options of {@link createPreparation}. */
interface PreparationOptions {
  /** Folder of the instance, in which prepared copies are kept. */
  dataFolder: string;
  /** Folder of the functions of the project, from which packages are found; undefined without a project. */
  projectFolder: string | undefined;
  /** Where modules are downloaded from, and with which limits. */
  downloads: FunctionsConfig['downloads'];
  log: Logger;
}

/** The preparation of functions on this node. All calls reject with {@link StartFailure}. */
export interface Preparation {
  /** Prepares the files of a function as they are now. In the background, other processes have priority. */
  prepare: Prepare;
  /** Returns the path of the runtime, after the words that launch it. */
  program(): Promise<readonly string[]>;
  /** Returns the user that the processes of a function run as; undefined: that of the server. */
  userOf(name: string): Promise<ProcessUser | undefined>;
  /** Returns the folder for the deployed files of a function, which exists then. */
  deployedFolderOf(name: string): Promise<string>;
  /** Aborts when preparations have to end. */
  signal: AbortSignal;
  /** Ends the preparations that run, and refuses further ones. */
  close(): void;
}

/** Creates the preparation. */
export function createPreparation(options: PreparationOptions): Preparation {
  const { dataFolder, projectFolder, downloads, log } = options;
  const sources = downloadSources(downloads);
  const closing = new AbortController();
  const { signal } = closing;
  let places: Promise<Places> | undefined;
  const opened = () => {
    places ??= openPlaces(dataFolder);
    return places;
  };

  return {
    prepare: rememberPrepared(async (source, { isBackground } = {}) => {
      const { folder, program, users } = await opened();
      const own = join(folder, source.name);
      await mkdir(own, { recursive: true });
      const { prepareFunction } = await import('../source/prepare.ts');
      return prepareFunction({
        source,
        folder: own,
        user: await users.of(source.name),
        runner: { program, signal, isBackground },
        sources,
        limits: downloads.limits,
        packageFolders: [...(projectFolder === undefined ? [] : [projectFolder]), import.meta.dirname],
        log: (text) => log.info(text),
      });
    }),
    program: async () => (await opened()).program,
    userOf: async (name) => (await opened()).users.of(name),
    async deployedFolderOf(name) {
      const own = join((await opened()).folder, name);
      // The user of the function passes through this folder to its prepared copy, and not to this one.
      await mkdir(own, { recursive: true });
      const folder = join(own, 'deployed');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    signal,
    close: () => closing.abort(),
  };
}

interface Places {
  folder: string;
  /** Path of Deno, after the words that launch it. */
  program: readonly string[];
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
    program: [...(await findLauncher()), await reachableProgram(program, folder)],
    users: await openUsers(join(folder, 'users.json')),
  };
}
