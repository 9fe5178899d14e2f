/** Keeps a running instance up to date with its files: on signals and, in development, when they change. */
import { join } from 'node:path';
import type { Product } from '@greenroom/product';
import type { Project } from '@greenroom/project';
import type { Greenroom } from '@greenroom/server';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { startDevLoop } from './dev-loop.ts';
import { createReloader, type Reloader } from './reload-settings.ts';
import type { ProjectOptions, Settings } from './settings.ts';
import type { SettingsFilesRelay } from './settings-files.ts';

/** Options of {@link keepUpToDate}. */
interface UpToDateOptions {
  instance: Greenroom;
  options: ProjectOptions;
  /** The settings of the start, and the configuration with the port that was chosen for them. */
  settings: Settings;
  config: Config;
  /** Whether migrations and settings are followed without a signal. */
  followsFiles: boolean;
  /** Path of a file with the types of the database, which is kept up to date; undefined: none. */
  typesFile: string | undefined;
  /** Receives the reloader, so that the instance itself can change its settings. */
  settingsFiles: SettingsFilesRelay;
  onProgress: (line: string) => void;
}

/** An instance that can be reloaded. */
interface UpToDateInstance {
  reload(): void;
  close(): Promise<void>;
}

/** Starts to follow the files, if that is requested. Closing it closes the instance. */
export async function keepUpToDate(options: UpToDateOptions): Promise<UpToDateInstance> {
  const { instance, settings: initial, followsFiles, settingsFiles } = options;
  const reloader = createReloader({ ...options, initial });
  settingsFiles.connect(reloader);
  const loop = followsFiles ? await followProject(options, reloader) : undefined;
  const types = await followTypesFile(options, reloader);
  return {
    reload: () => void reloadAll(instance, reloader),
    async close() {
      await Promise.all([loop?.close(), types?.close()]);
      await instance.close();
    },
  };
}

/** Returns undefined without a project and without a product, whose folder may have no `supabase/` yet. */
async function followProject({ settings, instance, onProgress }: UpToDateOptions, reloader: Reloader) {
  const { product, project = product && folderOf(product) } = settings;
  if (project === undefined || instance.backend === undefined) return undefined;
  const { ownDatabaseUrl: databaseUrl } = instance.backend;
  const loop = await startDevLoop({ project, databaseUrl, reloader, onProgress });
  onProgress(
    product
      ? 'following the files of the product: greenroom.config.ts, migrations, config.toml and env files'
      : 'following the files of the project: migrations, config.toml and env files',
  );
  return loop;
}

function folderOf({ folder }: Product): Project {
  return { folder, supabaseFolder: join(folder, 'supabase') };
}

/** Loaded on demand, because few starts keep such a file. */
async function followTypesFile(
  { typesFile, instance, onProgress }: UpToDateOptions,
  reloader: Reloader,
): Promise<{ close(): Promise<void> } | undefined> {
  if (typesFile === undefined) return undefined;
  if (instance.backend === undefined) {
    onProgress(`warning: ${typesFile} is not kept up to date, because the backend is hosted`);
    return undefined;
  }
  const [{ keepTypes }, { defaultRequest }] = await Promise.all([
    import('./types/keep-types.ts'),
    import('./types/types-of-database.ts'),
  ]);
  return keepTypes({
    path: typesFile,
    url: instance.backend.databaseUrl,
    request: () => defaultRequest(loadConfig(reloader.settings().source)),
    onProgress,
  });
}

/** Reloads the schema and PostgreSQL, too, unless a setting is wrong: then nothing changes. */
async function reloadAll(instance: Greenroom, reloader: Reloader): Promise<void> {
  if (await reloader.reload()) instance.reload();
}
