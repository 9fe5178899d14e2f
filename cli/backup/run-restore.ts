/** `greenroom restore`: a backup becomes the data folder of an instance. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Archive, type ContentTarget, openArchive } from '@greenroom/backup';
import { FolderInUseError, requireFreeFolder } from '@greenroom/data-folder';
import { restoreInto } from '@greenroom/server/backup';
import type { Config } from '@greenroom/server/settings';
import { openContentStore } from '@greenroom/storage/content-store';
import { withAbortSignal } from '../interruption.ts';
import { printLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { type ArchiveOptions, withArchivePlace } from './archive-options.ts';
import { type BackedUpInstance, readBackedUpInstance } from './backed-up-instance.ts';
import { chooseBackup } from './choose-backup.ts';
import { countText, sizeText } from './sizes.ts';

const PARTIAL = '.restoring';

/** Options of {@link runRestore}. */
interface RestoreOptions extends ArchiveOptions {
  /** Id of the backup. Default: the newest. */
  backup: string | undefined;
  /** The data folder. Default: that of the project. */
  into: string | undefined;
  /** Whether an existing data folder is moved aside. */
  isForced: boolean;
  /** Whether only the plan is printed. */
  isDryRun: boolean;
}

/** Restores a backup next to the data folder, checks it, and moves it to its place. */
export async function runRestore(options: RestoreOptions, project: ProjectOptions): Promise<number> {
  const instance = await readBackedUpInstance(project);
  return withArchivePlace(options, instance.config, async ({ store, secrets }) => {
    const archive = await openArchive(store, { secrets });
    const { id, manifest } = await chooseBackup(archive, options.backup);
    const folder = resolve(options.into ?? instance.dataFolder);
    printLines([
      `backup ${id} of ${manifest.stopTime} (Greenroom ${manifest.greenroomVersion}, PostgreSQL ${manifest.postgresVersion})`,
      `  database ${sizeText(manifest.databaseBytes)}, ${countText(manifest.contentCount, 'object')} ${sizeText(manifest.contentBytes)}`,
      `  from ${store.location}`,
      `  to ${folder}`,
    ]);
    const hasFolder = existsSync(folder);
    if (hasFolder && !options.isForced)
      throw new Error(
        `${folder} exists already, and a restore does not overwrite data. Restore into another folder (--into), or use --force, which keeps the existing folder under another name.`,
      );
    if (hasFolder) await requireStopped(folder);
    if (options.isDryRun) return 0;
    await restoreTo(folder, { archive, id, instance });
    return 0;
  });
}

/** Throws while an instance uses the folder. */
async function requireStopped(folder: string): Promise<void> {
  try {
    await requireFreeFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(`${error.message} Stop the instance first: greenroom stop`, { cause: error });
  }
}

async function restoreTo(
  folder: string,
  { archive, id, instance }: { archive: Archive; id: string; instance: BackedUpInstance },
): Promise<void> {
  const { config, project } = instance;
  const partial = folder + PARTIAL;
  const restored = await withAbortSignal('interrupted; nothing was changed.', (signal) =>
    restoreInto({
      archive,
      id,
      folder: partial,
      config,
      project,
      openTarget: openStoreOf,
      onProgress: (line) => printLines([line]),
      signal,
    }),
  );
  const { objects, indexes, problems } = restored;
  if (problems.length > 0)
    throw new Error(
      `the restored database in ${partial} is damaged, so it does not replace ${folder}:\n${problems.join('\n')}`,
    );
  const aside = existsSync(folder) ? `${folder}.before-${id.slice(0, 16)}` : undefined;
  if (aside !== undefined) await rename(folder, await freeName(aside));
  await rename(partial, folder);
  printLines([
    `restored ${folder}: ${countText(objects.count, 'object')} ${sizeText(objects.bytes)}, ${indexes} indexes checked`,
    ...changedLines(objects),
    ...(aside === undefined
      ? []
      : [`the former data is in ${basename(aside)}; remove it when you do not need it any more`]),
    'Start the instance: greenroom start',
  ]);
}

/** Returns the name, with a number if it is taken. */
async function freeName(path: string): Promise<string> {
  let free = path;
  for (let number = 2; existsSync(free); number++) free = `${path}-${number}`;
  return free;
}

function changedLines({ replaced, removed }: { replaced: number; removed: number }): string[] {
  const line = (text: string, count: number) =>
    count === 0 ? [] : [`${text}: ${countText(count, 'object')}`];
  return [
    ...line('changed during the backup, so restored with newer content', replaced),
    ...line('deleted during the backup, so left out', removed),
  ];
}

async function openStoreOf(
  config: Config,
  folder: string,
): Promise<ContentTarget & { close(): Promise<void> }> {
  const store = await openContentStore(config.storage, folder);
  return {
    has: (entry) => store.has(entry),
    write: (entry, content) => store.write(entry, content, contentTypeOf(entry.metadata)),
    close: () => store.close(),
  };
}

function contentTypeOf(metadata: unknown): string {
  const { mimetype } = (metadata ?? {}) as { mimetype?: unknown };
  return typeof mimetype === 'string' ? mimetype : 'application/octet-stream';
}
