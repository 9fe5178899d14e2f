/** The instance that a command about backups is for. */
import { resolve } from 'node:path';
import type { ProjectToRun } from '@greenroom/project';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { projectToRun } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';

/** The settings, and the absolute path of the data folder. */
export interface BackedUpInstance {
  config: Config;
  project: ProjectToRun | undefined;
  dataFolder: string;
}

/** Reads the settings. */
export async function readBackedUpInstance(options: ProjectOptions): Promise<BackedUpInstance> {
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  return { config, project: projectToRun(settings), dataFolder: resolve(config.dataDirectory) };
}
