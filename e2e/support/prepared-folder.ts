/**
 * Data folders in which an instance has run and ended: keys and a migrated database are there. Making them takes as
 * much work as all the rest of a start, so most tests begin on copies of one. A first start is tested on an empty one.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { newDataFolder, removeDataFolder, runCli, startInstance } from './instance.ts';

/** Where workers find it. */
const VARIABLE = 'GREENROOM_E2E_PREPARED';

/** Makes the one that is copied, once in a run; gives what removes it. */
export async function prepareDataFolder(): Promise<() => Promise<void>> {
  const folder = await newDataFolder();
  const instance = await startInstance(folder);
  await forgetDurability(folder);
  await instance.stop();
  if (await canBeCopied(folder)) process.env[VARIABLE] = folder;
  return () => removeDataFolder(folder);
}

/** A folder of its own, as after a first start; the one-time link of that start is nobody's any more. */
export async function newPreparedFolder(): Promise<string> {
  const folder = await newDataFolder();
  await fillDataFolder(folder);
  return folder;
}

/** Puts a copy into a folder; leaves it empty where none can be made, which only takes longer. */
export async function fillDataFolder(folder: string): Promise<void> {
  const prepared = process.env[VARIABLE];
  if (prepared) await copyFolder(prepared, folder);
}

/** A cluster that lies elsewhere, because its user cannot come in here, would be shared by all copies. */
async function canBeCopied(folder: string): Promise<boolean> {
  return !(await lstat(join(folder, 'postgres'))).isSymbolicLink();
}

/** Whatever is killed in a test, the machine goes on: nothing has to be on the disk. */
async function forgetDurability(folder: string): Promise<void> {
  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  const { DB_URL: url = '' } = JSON.parse(stdout) as Record<string, string>;
  const database = openDatabase({ url, max: 1, applicationName: 'e2e' });
  try {
    for (const setting of ['fsync', 'full_page_writes']) {
      await database.query({ text: `alter system set ${setting} = off` });
    }
  } finally {
    await database.close();
  }
}
