/** `greenroom backup prune`: removes backups that the retention does not keep. */
import { hostname } from 'node:os';
import { ArchiveError, prune } from '@greenroom/backup';
import { loadConfig } from '@greenroom/server/settings';
import { printLines } from '../print-lines.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { withArchivePlace } from './archive-options.ts';
import { countText, sizeText } from './sizes.ts';

/** Removes old backups, and prints their ids. Needs no passphrase. */
export async function pruneBackups(
  { where, isDryRun }: { where: string | undefined; isDryRun: boolean },
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const config = await explained(settings, () => loadConfig(settings.source));
  return withArchivePlace({ where }, config, async ({ store }) => {
    const holder = `process ${process.pid} of ${hostname()}`;
    const { keep: policy, keepLogDays: logDays } = config.backup;
    const result = await prune(store, { policy, logDays, holder, dryRun: isDryRun }).catch(explainBusy);
    const { keptBackups, removedBackups, removedBytes } = result;
    printLines([
      ...removedBackups.map((id) => `${isDryRun ? 'would remove' : 'removed'} ${id}`),
      `${countText(removedBackups.length, 'backup')} and ${sizeText(removedBytes)} ${isDryRun ? 'would be removed' : 'removed'}, ${keptBackups.length} kept`,
    ]);
    return 0;
  });
}

/** The log of a running instance must not be pruned by another process. */
function explainBusy(error: Error): never {
  const isBusy = error instanceof ArchiveError && error.kind === 'busy';
  if (!isBusy) throw error;
  throw new Error(`${error.message} A running instance prunes its archive after each of its backups.`, {
    cause: error,
  });
}
