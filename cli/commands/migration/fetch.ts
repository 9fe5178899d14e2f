/** Writes the migrations of the history as files. */
import { planFetch, writeFetched } from '@greenroom/project';
import { requireConfirmation } from '../../prompt.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { withTargetDatabase } from '../../target-database.ts';

/** Writes missing files; asks before it overwrites a file with another content. */
export async function fetchMigrations(
  { databaseUrl, isConfirmed }: { databaseUrl: string | undefined; isConfirmed: boolean },
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  const { files, notes } = await withTargetDatabase({ config, toRun }, databaseUrl, (url) =>
    planFetch(url, toRun.project),
  );
  const replaced = files.filter(({ isReplaced }) => isReplaced).map(({ fileName }) => fileName);
  if (replaced.length > 0) {
    await requireConfirmation(`These files have another content: ${replaced.join(', ')}. Overwrite them?`, {
      isConfirmed,
    });
  }
  await writeFetched(toRun.project, files);
  if (files.length === 0) return [...notes, 'supabase/migrations has all migrations of the history'];
  return [...notes, ...files.map(({ fileName }) => `wrote supabase/migrations/${fileName}`)];
}
