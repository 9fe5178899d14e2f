/** The project and the configuration of a command that needs both. */
import { basename } from 'node:path';
import type { ProjectToRun } from '@greenroom/project';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { requireProject } from './project.ts';
import { explained, type ProjectOptions, readSettings } from './settings.ts';

/** The result of {@link readProject}. */
export interface ConfiguredProject {
  config: Config;
  toRun: ProjectToRun;
  /** `project_id` of config.toml, or the name of the folder. */
  name: string;
}

/** Reads the settings. Throws `ProjectError` without a project, and `ConfigError` for wrong values. */
export async function readProject(options: ProjectOptions): Promise<ConfiguredProject> {
  const settings = await readSettings(options);
  const toRun = requireProject(settings);
  const config = await explained(settings, () => loadConfig(settings.source));
  const name = settings.configFile?.projectKeys.projectId ?? basename(toRun.project.folder);
  return { config, toRun, name };
}
