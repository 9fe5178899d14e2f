/** The project that a command works on. */
import { basename } from 'node:path';
import { ProjectError, type ProjectToRun } from '@greenroom/project';
import type { Settings } from './settings.ts';

/** Returns the project with the values of its config.toml; undefined if the command runs without one. */
export function projectToRun({ project, configFile }: Settings): ProjectToRun | undefined {
  if (project === undefined) return undefined;
  const folderName = basename(project.folder);
  if (configFile === undefined) return { project, name: folderName };
  const { projectId, migrations, seeds, buckets, database, functions } = configFile.projectKeys;
  return {
    project,
    name: projectId || folderName,
    appliesMigrations: migrations.isEnabled,
    seedPaths: seeds.isEnabled ? seeds.paths : [],
    buckets,
    functions,
    ...database,
  };
}

/** Returns the project like {@link projectToRun}. Throws `ProjectError` if the command runs without one. */
export function requireProject(settings: Settings): ProjectToRun {
  const found = projectToRun(settings);
  if (found) return found;
  throw new ProjectError(
    `${process.cwd()} is not a project: it contains neither supabase/config.toml nor supabase/migrations. ` +
      'Change to the folder of a project, or name it with --project <folder>.',
  );
}
