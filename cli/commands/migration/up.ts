/** Applies new migrations. */
import { setUpProject } from '@greenroom/project';
import { withInstanceDatabase } from '../../instance-database.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Applies new migrations; returns the lines to print at the end. */
export async function up(
  { includesEarlier }: { includesEarlier: boolean },
  options: ProjectOptions,
): Promise<string[]> {
  const { config, toRun } = await readProject(options);
  const applied = await withInstanceDatabase({ config, project: toRun }, (url) =>
    // Asked for by name, so also if config.toml keeps the start from applying them.
    setUpProject({
      url,
      ...toRun,
      appliesMigrations: true,
      includesEarlier,
      includesHeld: true,
      onProgress: (line) => void process.stdout.write(`${line}\n`),
    }),
  );
  return applied === 0 ? ['all migrations are applied already'] : [];
}
