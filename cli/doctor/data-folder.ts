/** Checks of the data folder: access, space, lock, keys, clock. */
import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '@greenroom/config';
import { FolderInUseError, requireFreeFolder } from '@greenroom/data-folder';
import { describeKeys, type KeyFile, loadKeyFile } from '@greenroom/keys';
import { type Check, type Outcome, ok, problem, type Subject, skipped } from './check.ts';

const MIN_FREE_MB = 1024;
const MB = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;
const MAX_KEY_AGE_DAYS = 365;
/** Rounding of times in files. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Files with secrets, which only their owner may read. */
const SECRET_FILES = ['keys.json', 'instance.json', 'remembered.json'];
const OTHERS = 0o077;

async function checkFolder({ folder }: Subject): Promise<Outcome[]> {
  const found = await statOf(folder);
  if (found === undefined) return [skipped(`${folder} does not exist before the first start`)];
  if (!found.isDirectory())
    return [problem(`${folder} is not a folder`, 'Move it away, or set GREENROOM_DATA_DIR to another path.')];
  const outcomes: Outcome[] = [];
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && found.uid !== uid)
    outcomes.push(
      problem(
        `${folder} belongs to the user ${found.uid}, and this process to ${uid}`,
        `Run Greenroom as that user, or change the owner: chown -R ${uid} ${shellWord(folder)}`,
      ),
    );
  if (!(await isWritable(folder)))
    outcomes.push(
      problem(`${folder} cannot be written`, `Make it writable: chmod u+rwx ${shellWord(folder)}`),
    );
  // Others may traverse the folder if PostgreSQL runs as another user.
  if (process.platform !== 'win32' && (found.mode & 0o066) !== 0)
    outcomes.push(problem(`other users can read ${folder}`, `Close it: chmod go-rw ${shellWord(folder)}`));
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / MB);
  if (freeMb < MIN_FREE_MB)
    outcomes.push(
      problem(
        `${folder} has only ${freeMb} MB of free disk space`,
        `Free ${MIN_FREE_MB} MB at least, or move the folder to another disk.`,
      ),
    );
  return outcomes.length > 0 ? outcomes : [ok(`${folder}: writable, ${freeMb} MB free`)];
}

async function checkLock({ folder, record }: Subject): Promise<Outcome[]> {
  try {
    await requireFreeFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return [
      record?.ready
        ? ok(`an instance runs on the folder: pid ${record.pid} at ${record.apiUrl}`)
        : ok(`a command or a start uses the folder: pid ${error.pid ?? 'unknown'}`),
    ];
  }
  if (record?.credentials === undefined) return [ok('no instance runs on the folder')];
  return [
    problem(
      `the last instance (pid ${record.pid}) ended without a shutdown`,
      'Start it: PostgreSQL recovers, and nothing that was acknowledged is lost.',
    ),
  ];
}

async function checkFiles({ folder }: Subject): Promise<Outcome[]> {
  if (process.platform === 'win32') return [skipped('Windows has no file modes')];
  const found = await Promise.all(
    SECRET_FILES.map(async (name) => ({ name, mode: (await statOf(join(folder, name)))?.mode })),
  );
  const present = found.filter(({ mode }) => mode !== undefined);
  const open = present.filter(({ mode = 0 }) => (mode & OTHERS) !== 0);
  if (present.length === 0) return [skipped('there are no keys before the first start')];
  if (open.length === 0) return [ok('only the owner can read the files with secrets')];
  return open.map(({ name, mode = 0 }) =>
    problem(
      `${name} can be read by other users (mode ${(mode & 0o777).toString(8)})`,
      `Close it: chmod 600 ${shellWord(join(folder, name))}. If others could read it, rotate the keys: greenroom keys rotate`,
    ),
  );
}

async function checkKeys({ folder, config }: Subject): Promise<Outcome[]> {
  const file = await loadKeyFile(join(folder, 'keys.json')).catch((error: Error) => error);
  if (file instanceof Error)
    return [problem(file.message, 'Restore keys.json from a backup: the database depends on its secrets.')];
  if (file === undefined) return [skipped('there are no keys before the first start')];
  if (config.signingKeys ?? config.signingKeysFile) return [ok('the configuration names the signing keys')];
  const age = ageInDays(file);
  if (age === undefined || age <= MAX_KEY_AGE_DAYS)
    return [ok(`the signing key is ${age === undefined ? 'of unknown age' : `${age} days old`}`)];
  return [problem(`the signing key is ${age} days old`, 'Rotate it: greenroom keys rotate')];
}

function ageInDays(file: KeyFile): number | undefined {
  const { createdAt } = describeKeys(file).find(({ state }) => state === 'current') ?? {};
  return createdAt === undefined ? undefined : Math.floor((now() - createdAt) / DAY_SECONDS);
}

async function checkClock({ folder, record }: Subject): Promise<Outcome[]> {
  const file = await loadKeyFile(join(folder, 'keys.json')).catch(() => undefined);
  const times = [file?.createdAt, record && Date.parse(record.startedAt) / 1000];
  const latest = Math.max(
    0,
    ...(times.filter((time) => time !== undefined && !Number.isNaN(time)) as number[]),
  );
  const time = new Date().toISOString();
  if (latest <= now() + CLOCK_TOLERANCE_SECONDS) return [ok(`the clock shows ${time}`)];
  return [
    problem(
      `the clock shows ${time}, but the instance was last started at ${new Date(latest * 1000).toISOString()}`,
      'Set the clock, e.g. with timedatectl set-ntp true: tokens and one-time codes depend on it.',
    ),
  ];
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

export const FOLDER_CHECKS: readonly Check[] = [
  { name: 'data folder', run: checkFolder },
  { name: 'lock', run: checkLock },
  { name: 'file modes', run: checkFiles },
  { name: 'keys', run: checkKeys },
  { name: 'clock', run: checkClock },
];
