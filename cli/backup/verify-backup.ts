/** `greenroom backup verify`: restores a backup into a folder that is removed afterwards. */
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ContentTarget, openArchive, writeCheck } from '@greenroom/backup';
import { VERSION } from '@greenroom/server/version';
import { withAbortSignal } from '../interruption.ts';
import { printLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { type ArchiveOptions, withArchivePlace } from './archive-options.ts';
import { readBackedUpInstance } from './backed-up-instance.ts';
import { chooseBackup } from './choose-backup.ts';
import { restoreInto } from './restore-into.ts';
import { countText } from './sizes.ts';

const SUFFIX = '.verifying';

/** Restores, starts and checks a backup, and records the result in the archive. Returns 1 if it has problems. */
export async function verifyBackup(
  options: ArchiveOptions & { backup: string | undefined },
  project: ProjectOptions,
): Promise<number> {
  const { config, project: toRun, dataFolder } = await readBackedUpInstance(project);
  return withArchivePlace(options, config, async ({ store, secrets }) => {
    const archive = await openArchive(store, { secrets });
    const { id } = await chooseBackup(archive, options.backup);
    printLines([`verifying backup ${id} of ${store.location}`]);
    const folder = dataFolder + SUFFIX;
    const onProgress = (line: string) => printLines([line]);
    const result = await withAbortSignal('interrupted.', (signal) =>
      restoreInto({
        archive,
        id,
        folder,
        config,
        project: toRun,
        openTarget: openReader,
        onProgress,
        signal,
      }),
    )
      .then(({ problems, indexes, objects }) => ({ problems, indexes, objects }))
      .catch((error: Error) => {
        if (error.name === 'InterruptedError') throw error;
        return { problems: [error.message], indexes: 0, objects: { count: 0 } };
      })
      .finally(() => rm(folder, { recursive: true, force: true }));
    const { problems } = result;
    await writeCheck(store, id, {
      checkedAt: new Date().toISOString(),
      greenroomVersion: VERSION,
      method: 'restored',
      problems,
    });
    if (problems.length > 0) {
      process.stderr.write(`backup ${id} cannot be used:\n${problems.map((text) => `  ${text}\n`).join('')}`);
      return 1;
    }
    printLines([
      `backup ${id} is good: PostgreSQL started, ${result.indexes} indexes and the hashes of ${countText(result.objects.count, 'object')} are right`,
    ]);
    return 0;
  });
}

/** Reads content to its end, which checks its hash. */
async function openReader(): Promise<ContentTarget & { close(): Promise<void> }> {
  return {
    has: async () => false,
    async write(_, content: Readable) {
      for await (const _bytes of content);
    },
    close: async () => {},
  };
}
