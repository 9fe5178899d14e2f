/**
 * Data folders in which an instance has run and stopped: they contain keys and a migrated database. Creating these
 * takes as much work as the rest of a start, so most tests begin with copies of one folder. First starts are tested on
 * an empty folder.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { withDatabase } from './database.ts';
import { newDataFolder, removeDataFolder, startInstance } from './instance.ts';

/** Environment variable by which workers find the folder. */
const VARIABLE = 'GREENROOM_E2E_PREPARED';

/** Creates the folder that is copied, once in a run; returns a function that removes it. */
export async function prepareDataFolder(): Promise<() => Promise<void>> {
  const folder = await newDataFolder();
  const instance = await startInstance(folder);
  await disableDurability(folder);
  await instance.stop();
  if (await isCopyable(folder)) process.env[VARIABLE] = folder;
  return () => removeDataFolder(folder);
}

/** Creates a new folder with the state after a first start; the one-time link of that start is unknown. */
export async function newPreparedFolder(): Promise<string> {
  const folder = await newDataFolder();
  await fillDataFolder(folder);
  return folder;
}

/** Copies the prepared folder into a folder; leaves it empty if no copy is possible, which only takes longer. */
export async function fillDataFolder(folder: string): Promise<void> {
  const prepared = process.env[VARIABLE];
  if (prepared) await copyFolder(prepared, folder);
}

/** A cluster outside of the folder, which exists if its user cannot enter the folder, would be shared by all copies. */
async function isCopyable(folder: string): Promise<boolean> {
  return !(await lstat(join(folder, 'postgres'))).isSymbolicLink();
}

/** Tests kill processes but never the machine, so nothing has to be synced to disk. */
async function disableDurability(folder: string): Promise<void> {
  await withDatabase(folder, async (database) => {
    for (const setting of ['fsync', 'full_page_writes']) {
      await database.query({ text: `alter system set ${setting} = off` });
    }
  });
}
