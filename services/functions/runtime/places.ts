/** Where prepared functions and the runtime are, so that the users of functions can reach them. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** For servers that run as root with a data folder that is closed to other users. */
const SYSTEM_FOLDER = '/var/lib/greenroom';

/** File in a folder outside of the data folder: the path of the data folder. */
const OWNER_FILE = 'owner';

/** Returns the folder of prepared functions, which exists then. */
export async function openPreparedFolder(dataFolder: string): Promise<string> {
  const owner = resolve(dataFolder);
  if (process.getuid?.() !== 0 || (await isReachable(owner))) {
    const inside = join(owner, 'functions');
    await mkdir(inside, { recursive: true, mode: 0o755 });
    return inside;
  }
  const folder = join(SYSTEM_FOLDER, `functions-${hash('sha256', owner).slice(0, 16)}`);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeFile(join(folder, OWNER_FILE), owner);
  await removeOrphans();
  return folder;
}

/** Removes the folders of instances whose data folders no longer exist. */
async function removeOrphans(): Promise<void> {
  const names = (await readdir(SYSTEM_FOLDER)).filter((name) => name.startsWith('functions-'));
  for (const folder of names.map((name) => join(SYSTEM_FOLDER, name))) {
    const owner = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => undefined);
    if (owner !== undefined && !existsSync(owner)) await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the path of the program for processes of other users: a copy, if they cannot reach it. */
export async function reachableProgram(program: string, folder: string): Promise<string> {
  if (process.getuid?.() !== 0 || (await isReachable(dirname(program)))) return program;
  const { size } = await stat(program);
  const copy = join(folder, `deno-${size}`);
  const exists = await access(copy, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (exists) return copy;
  await copyFile(program, `${copy}.partial`);
  await chmod(`${copy}.partial`, 0o755);
  await rename(`${copy}.partial`, copy);
  return copy;
}

const ENTER_BY_OTHERS = 0o001;

/** Whether every user may enter a folder and all folders above it. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & ENTER_BY_OTHERS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
