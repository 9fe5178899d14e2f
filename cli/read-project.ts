/** The project and the configuration of a command that needs both. */
import type { ProjectToRun } from '@greenroom/project';
import type { SchemaKeys } from '@greenroom/project/config-file';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { requireProject } from './project.ts';
import { explained, type ProjectOptions, readSettings, type Settings } from './settings.ts';

/** The result of {@link readProject}. */
export interface ConfiguredProject {
  config: Config;
  toRun: ProjectToRun;
  settings: Settings;
  /** The declared schema; undefined if the project has no config.toml. */
  schema: SchemaKeys | undefined;
}

/** Reads the settings. Throws `ProjectError` without a project, and `ConfigError` for wrong values. */
export async function readProject(options: ProjectOptions): Promise<ConfiguredProject> {
  const settings = await readSettings(options);
  const toRun = requireProject(settings);
  const config = await explained(settings, () => loadConfig(settings.source));
  return { config, toRun, settings, schema: settings.configFile?.projectKeys.schema };
}
