/**
 * The prepared data folder of a project: a database with its migrations and seeds, keys, and its buckets. It is made once for
 * each state of the project and version of Greenroom, and test instances copy it.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Lock, tryLock } from '@greenroom/data-folder';
import { loadConfig } from '@greenroom/server/settings';
import { startGreenroom } from '@greenroom/server/start';
import { projectToRun } from '../../project.ts';
import { explained, type ProjectOptions, readSettings, type Settings } from '../../settings.ts';
import { prepareDatabaseClock } from './database-clock.ts';
import { preparedKey } from './prepared-key.ts';
import { skipSyncs } from './skip-syncs.ts';

const run = promisify(execFile);

/** Files that belong to the instance that has prepared the folder. */
const FILES_OF_INSTANCE = ['instance.json', 'lock', 'remembered.json'];
/** Folders that no instance has copied for this time are removed. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const LOCK_RETRY_MS = 50;

/** Copies the prepared folder to `target`, which must not exist; prepares it first if it does not exist. */
export async function copyPreparedFolder(options: ProjectOptions, target: string): Promise<void> {
  const settings = await readSettings(options);
  const prepared = join(cacheFolder(), await preparedKey(settings));
  if (!(await exists(prepared))) await prepareOnce(settings, prepared);
  const now = new Date();
  await utimes(prepared, now, now);
  await mkdir(target, { mode: 0o711 });
  await copyFolder(prepared, target);
}

/** `greenroom/test-instances` in `XDG_CACHE_HOME`, by default in `~/.cache`. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: configured } = process.env;
  const cache = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), '.cache');
  return join(cache, 'greenroom', 'test-instances');
}

/** Of several test processes that start at once, one prepares the folder, and the others wait. */
async function prepareOnce(settings: Settings, prepared: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true, mode: 0o700 });
  const lock = await waitForLock(join(cacheFolder(), 'lock'));
  try {
    if (await exists(prepared)) return;
    await removeUnused();
    await explained(settings, () => prepare(settings, prepared));
  } finally {
    lock.release();
  }
}

async function waitForLock(path: string): Promise<Lock> {
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    await sleep(LOCK_RETRY_MS);
  }
}

/** Removes folders that are no longer used, and those of preparations that were killed. The caller holds the lock. */
async function removeUnused(): Promise<void> {
  for (const name of await readdir(cacheFolder())) {
    if (name === 'lock') continue;
    const path = join(cacheFolder(), name);
    const isUnfinished = name.startsWith('new-');
    const { mtimeMs } = await stat(path);
    if (isUnfinished || Date.now() - mtimeMs > MAX_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}

async function prepare(settings: Settings, prepared: string): Promise<void> {
  const folder = await mkdtemp(join(cacheFolder(), 'new-'));
  try {
    await chmod(folder, 0o711);
    const source = { ...settings.source, GREENROOM_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
    const instance = await startGreenroom({
      config: loadConfig({ ...source, GREENROOM_MAILBOX_ENABLED: 'false' }),
      project: projectToRun(settings),
      pages: 'none',
    });
    try {
      await prepareDatabaseClock(folder);
      await skipSyncs(folder);
    } finally {
      await instance.close();
    }
    for (const name of FILES_OF_INSTANCE) await rm(join(folder, name), { force: true });
    await rename(folder, prepared);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Files keep their owner, which `cp` of Node.js would change to that of the process. */
async function copyFolder(source: string, target: string): Promise<void> {
  if (process.platform === 'win32') await cp(source, target, { recursive: true });
  else await run('cp', ['-Rp', `${source}/.`, target]);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
