/** Joins migrations to one file. */
import { createLogger } from '@greenroom/log';
import { planSquash, type Squash, squashFiles, squashHistory, tryMigration } from '@greenroom/project';
import { withTrialDatabase } from '@greenroom/server';
import { hasDatabase, withInstanceDatabase } from '../../instance-database.ts';
import { chooseShadowPort } from '../../ports/shadow-port.ts';
import { type ConfiguredProject, readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Applies the joined file to a new database first. If that fails, no file changes. */
export async function squash(
  { version }: { version: string | undefined },
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun, settings } = await readProject(options);
  const planned = await planSquash(toRun.project, version);
  const { target, merged } = planned;
  if (merged.length === 0) return [`${target.fileName} is the first migration, so there is nothing to join.`];
  await tryOnNewDatabase(planned, { config, toRun, settings });
  if (hasDatabase(config)) {
    await withInstanceDatabase({ config, project: toRun }, (url) => squashHistory(url, planned));
  } else await squashFiles(planned);
  return [
    `joined ${merged.length + 1} migrations to ${target.fileName}`,
    'Other databases still have the former history. There, run once:',
    `  greenroom migration repair --status reverted ${merged.map(({ version }) => version).join(' ')}`,
    `  greenroom migration repair --status applied ${target.version}`,
  ];
}

async function tryOnNewDatabase(
  planned: Squash,
  { config, toRun, settings }: Omit<ConfiguredProject, 'schema'>,
): Promise<void> {
  const log = createLogger(config.logLevel);
  const choosePort = () => chooseShadowPort(settings);
  await withTrialDatabase({ config, toRun, log, choosePort }, (url) => tryMigration(url, planned));
}
