/**
 * The place of restored data. Nothing is in the data folder until the restore is complete: the data is next to it, or within it
 * if it exists and is empty, because an empty folder may be a mounted disk, which cannot be replaced.
 */
import { existsSync } from 'node:fs';
import { readdir, rename, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { shellWord } from '@greenroom/config';
import { FolderInUseError, requireFreeFolder } from '@greenroom/data-folder';

const PARTIAL = '.restoring';
/** A folder of file systems, and files of an interrupted restore. */
const IGNORED: readonly string[] = ['lost+found', PARTIAL];
/** Moved last: a start recognizes existing data by it. */
const CLUSTER = 'postgres';

/** A place that is free. */
interface RestorePlace {
  /** The folder to restore into. */
  partial: string;
  /** Moves the restored data to the data folder. Returns the name of the folder that keeps former data; undefined without any. */
  complete(): Promise<string | undefined>;
}

/**
 * Returns the place for a data folder.
 * @throws Error if there is data that is in use, or that must not be moved aside
 */
export async function restorePlace(
  folder: string,
  { isForced }: { isForced: boolean },
): Promise<RestorePlace> {
  if (!existsSync(folder)) return nextTo(folder);
  const names = (await readdir(folder)).filter((name) => !IGNORED.includes(name));
  if (names.length === 0) return within(folder);
  if (!isForced)
    throw new Error(
      `${folder} exists already, and a restore does not overwrite data. Restore into another folder (--into), or use --force, which keeps the existing folder under another name.`,
    );
  await requireStopped(folder);
  if (await isMounted(folder))
    throw new Error(
      `${folder} is a mounted disk, so it cannot be kept under another name. Move its data away, or restore into a new folder of it: --into ${shellWord(join(folder, 'restored'))}`,
    );
  return nextTo(folder);
}

function nextTo(folder: string): RestorePlace {
  const partial = folder + PARTIAL;
  return {
    partial,
    async complete() {
      const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      const aside = existsSync(folder) ? await freeName(`${folder}.before-${time}Z`) : undefined;
      if (aside !== undefined) await rename(folder, aside);
      await rename(partial, folder);
      return aside && basename(aside);
    },
  };
}

function within(folder: string): RestorePlace {
  const partial = join(folder, PARTIAL);
  return {
    partial,
    async complete() {
      const names = await readdir(partial);
      const ordered = [
        ...names.filter((name) => name !== CLUSTER),
        ...names.filter((name) => name === CLUSTER),
      ];
      for (const name of ordered) await rename(join(partial, name), join(folder, name));
      await rmdir(partial);
      return undefined;
    },
  };
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

async function isMounted(folder: string): Promise<boolean> {
  const [own, parent] = await Promise.all([stat(folder), stat(dirname(folder))]);
  return own.dev !== parent.dev;
}

/** Returns the name, with a number if it is taken. */
async function freeName(path: string): Promise<string> {
  let free = path;
  for (let number = 2; existsSync(free); number++) free = `${path}-${number}`;
  return free;
}
