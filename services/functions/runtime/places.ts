/** Where prepared functions and the runtime are, so that the users of functions can reach them. */
import { hash } from 'node:crypto';
import { access, chmod, constants, copyFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** For servers that run as root with a data folder that is closed to other users. */
const SYSTEM_FOLDER = '/var/lib/greenroom';

/** Returns the folder of prepared functions, which exists then. */
export async function openPreparedFolder(dataFolder: string): Promise<string> {
  const inside = join(dataFolder, 'functions');
  const isInside = process.getuid?.() !== 0 || (await isReachable(dirname(resolve(inside))));
  const folder = isInside
    ? inside
    : join(SYSTEM_FOLDER, `functions-${hash('sha256', resolve(dataFolder)).slice(0, 16)}`);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return folder;
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
