/** Resets the database to the version before its last migrations. */
import { listStates, resetVersion } from '@greenroom/project';
import { requireEmbeddedDatabase } from '@greenroom/server';
import { withInstanceDatabase } from '../../instance-database.ts';
import { requireConfirmation, requireProjectName } from '../../prompt.ts';
import { type ConfiguredProject, readProject } from '../../read-project.ts';
import { knownPublicUrl, resetProject } from '../../reset-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Resets the database after the user has confirmed. The start does not apply the reverted migrations again. */
export async function down(
  { last, isConfirmed }: { last: number; isConfirmed: boolean },
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  requireEmbeddedDatabase(config);
  const applied = await appliedVersions({ config, toRun });
  if (applied.length <= last) throw tooMany(applied.length);
  const lastVersion = await resetVersion(toRun.project, { version: applied.at(-last - 1) });
  const publicUrl = await knownPublicUrl(config);
  process.stdout.write(`These migrations are reverted: ${applied.slice(-last).join(', ')}\n`);
  if (publicUrl !== undefined) await requireProjectName(toRun.name, publicUrl);
  else await requireConfirmation(QUESTION, { isConfirmed });
  await resetProject({ config, toRun, lastVersion });
  return ['apply the reverted migrations again: greenroom migration up'];
}

const QUESTION = 'The database is created anew: all its data will be lost. Continue?';

async function appliedVersions({
  config,
  toRun,
}: Pick<ConfiguredProject, 'config' | 'toRun'>): Promise<string[]> {
  const states = await withInstanceDatabase({ config, project: toRun }, (url) =>
    listStates(url, toRun.project),
  );
  return states.filter(({ isApplied }) => isApplied).map(({ version }) => version);
}

function tooMany(applied: number): Error {
  return new Error(
    `--last must be less than the number of applied migrations, which is ${applied}. ` +
      'To begin without migrations, use: greenroom db reset --last <number of files>',
  );
}
