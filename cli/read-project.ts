/** The project and the configuration of a command that needs both. */
import type { ProjectToRun } from '@greenroom/project';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { requireProject } from './project.ts';
import { explained, type ProjectOptions, readSettings, type Settings } from './settings.ts';

/** The result of {@link readProject}. */
export interface ConfiguredProject {
  config: Config;
  toRun: ProjectToRun;
  settings: Settings;
}

/** Reads the settings. Throws `ProjectError` without a project, and `ConfigError` for wrong values. */
export async function readProject(options: ProjectOptions): Promise<ConfiguredProject> {
  const settings = await readSettings(options);
  const toRun = requireProject(settings);
  return { config: await explained(settings, () => loadConfig(settings.source)), toRun, settings };
}
