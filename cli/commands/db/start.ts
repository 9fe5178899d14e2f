/** Creates the database of a project from a backup. */
import { access } from 'node:fs/promises';
import { restoreBackup } from '@greenroom/dump';
import { createLogger } from '@greenroom/log';
import { requireEmbeddedDatabase, requireNoDatabase, restoreDatabase } from '@greenroom/server';
import { printLines } from '../../print-lines.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';

/** Restores the backup, and prints the parts that were left out. The instance must not have a database yet. */
export async function startFromBackup(file: string | undefined, options: ProjectOptions): Promise<number> {
  if (file === undefined || file === '')
    throw new Error(
      'db start requires --from-backup <file>. Database and services are one process: "greenroom start" starts both.',
    );
  await access(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  const { config, toRun } = await readProject(options);
  requireEmbeddedDatabase(config, 'db start --from-backup');
  requireNoDatabase(config);
  const log = createLogger(config.logLevel);
  const onProgress = (line: string) => printLines([line]);
  const restore = async (url: string) => {
    const { statements, skipped, omitted } = await restoreBackup({ url, path: file });
    printLines([
      `restored ${file}: ${statements} statements`,
      ...(skipped > 0 ? [`skipped ${skipped} statements about roles and schemas of the platform`] : []),
      ...omitted.map((line) => `left out ${line}`),
    ]);
  };
  await restoreDatabase({ config, toRun, restore, log, onProgress });
  printLines(['Start the instance: greenroom start']);
  return 0;
}
