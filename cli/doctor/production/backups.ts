/** Checks for production: backups, the place of their archive, and its secret. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ArchiveStore,
  type ListedBackup,
  type LogLineage,
  listBackups,
  openStore,
  readHead,
} from '@greenroom/backup';
import { readSecretFile, requireUsablePlace } from '@greenroom/server/backup';
import { isContinuous } from '@greenroom/server/backup-slot';
import { type Check, type Outcome, ok, problem, type Subject, skipped, warning } from '../check.ts';

const MAX_AGE_MS = 48 * 3_600_000;
/** The head of an idle log is written each minute. The log of an instance that has just started may be older. */
const MAX_LAG_MS = 10 * 60_000;
const GUIDE = 'see docs/operate/backup.md';
const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
const BUCKET = /^s3:/i;
const SECOND_MS = 1000;

async function checkBackups(subject: Subject): Promise<Outcome[]> {
  const { backup, databaseUrl } = subject.config;
  if (backup.url === undefined && databaseUrl !== undefined)
    return [
      skipped('GREENROOM_BACKUP_URL is not set, and the operator of an external database may back it up'),
    ];
  if (backup.url === undefined)
    return [
      warning(
        'backups cannot be checked: GREENROOM_BACKUP_URL is not set',
        `Set it to a bucket or to a folder of another disk, and the instance backs itself up; ${GUIDE}.`,
      ),
    ];
  try {
    const store = await openStore(backup.url, backup.s3);
    try {
      return await checkArchive(store, subject);
    } finally {
      await store.close();
    }
  } catch (error) {
    return [
      problem(
        `the backups cannot be read: ${(error as Error).message}`,
        'Correct GREENROOM_BACKUP_URL or its keys.',
      ),
    ];
  }
}

async function checkArchive(store: ArchiveStore, subject: Subject): Promise<Outcome[]> {
  const { backups } = await listBackups(store);
  const newest = backups.at(-1);
  const remedy = remedyOf(subject);
  if (newest === undefined) return [problem('there is no backup yet', remedy)];
  const age = Date.now() - Date.parse(newest.manifest.stopTime);
  if (age > MAX_AGE_MS) return [problem(`the newest backup is of ${newest.manifest.stopTime}`, remedy)];
  return [await stateOfLog(store, newest, subject, remedy), stateOfVerification(backups)];
}

function remedyOf({ config }: Subject): string {
  const { databaseUrl } = config;
  if (isContinuous(config))
    return `Look for the reason in the log of the instance, e.g. by: greenroom logs; ${GUIDE}.`;
  if (databaseUrl !== undefined) return `Run greenroom backup every night; ${GUIDE}.`;
  return `Let the instance back itself up, or run greenroom backup every night; ${GUIDE}.`;
}

/** Whether the changes since the newest backup are stored. */
async function stateOfLog(
  store: ArchiveStore,
  { manifest }: ListedBackup,
  { config, isRunning }: Subject,
  remedy: string,
): Promise<Outcome> {
  const newest = ok(`the newest backup is of ${manifest.stopTime}`);
  if (!isContinuous(config) || manifest.kind !== 'physical') return newest;
  const lineage: LogLineage = manifest;
  const covered = (await readHead(store, lineage))?.coveredTime;
  if (covered === undefined) return problem('changes since the newest backup are not stored', remedy);
  const lagMs = Date.now() - covered.getTime() - config.backup.lagSeconds * SECOND_MS;
  if (isRunning && lagMs > MAX_LAG_MS)
    return problem(`changes since ${covered.toISOString()} are not stored`, remedy);
  return ok(`all changes until ${covered.toISOString()} are stored`);
}

/** The newest backup may be one whose verification runs. */
function stateOfVerification(backups: readonly ListedBackup[]): Outcome {
  const newest = backups.at(-1);
  if (newest?.check !== undefined && newest.check.problems.length > 0)
    return problem(
      `backup ${newest.id} cannot be used: ${newest.check.problems.join('; ')}`,
      `Find damaged files by: greenroom backup check; then create a backup; ${GUIDE}.`,
    );
  const verified = backups.findLast(({ check }) => check?.problems.length === 0);
  if (verified !== undefined && Date.now() - Date.parse(verified.manifest.stopTime) <= MAX_AGE_MS)
    return ok(`backup ${verified.id} was verified`);
  return warning(
    `no backup of the last two days was verified`,
    'Set GREENROOM_BACKUP_VERIFY=true, or run greenroom backup verify where the passphrase or the identity is.',
  );
}

async function checkSecret({ config: { backup } }: Subject): Promise<Outcome[]> {
  const { url, passphraseFile, recipient } = backup;
  if (url === undefined) return [skipped('there is no archive')];
  if (passphraseFile !== undefined) {
    const failure = await readSecretFile(passphraseFile).then(
      () => undefined,
      (error: Error) => error,
    );
    if (failure === undefined) return [ok(`only its owner can read ${passphraseFile}`)];
    return [problem(failure.message, `The user of the server must own the file, with mode 600; ${GUIDE}.`)];
  }
  if (recipient !== undefined) return [ok('the archive is for a recipient, and this machine cannot read it')];
  return [
    warning(
      'no passphrase is set for the archive, and without one it shows all data and keys to its readers',
      `Set GREENROOM_BACKUP_PASSPHRASE_FILE, and begin with an empty archive; ${GUIDE}.`,
    ),
  ];
}

/** A broken disk must not take the data and its backups. */
async function checkPlace({ config: { backup }, folder }: Subject): Promise<Outcome[]> {
  const { url } = backup;
  if (url === undefined) return [skipped('there is no archive')];
  if (BUCKET.test(url)) return [ok('the archive is in a bucket')];
  const path = pathOf(url);
  if (path === undefined) return [skipped('GREENROOM_BACKUP_URL names no place')];
  const refusal = await refusalOf(url, folder);
  if (refusal !== undefined)
    return [
      problem(refusal, `Choose another place: set GREENROOM_BACKUP_URL, and move the archive; ${GUIDE}.`),
    ];
  const [archive, data] = await Promise.all([deviceOf(path), deviceOf(folder)]);
  if (archive !== data) return [ok(`${path} is on another file system than the data folder`)];
  return [
    warning(
      `${path} is on the disk of the data folder, so a broken disk takes both`,
      `Use a bucket, or a folder of another machine or disk; ${GUIDE}.`,
    ),
  ];
}

/** Returns why an instance does not back itself up to a folder or file; undefined if it does. */
async function refusalOf(url: string, dataFolder: string): Promise<string | undefined> {
  const store = await openStore(url);
  return requireUsablePlace(store, dataFolder)
    .then(
      () => undefined,
      (error: Error) => error.message,
    )
    .finally(() => store.close());
}

/** Returns the absolute path of a folder or file; undefined for another URL. */
function pathOf(url: string): string | undefined {
  if (!SCHEME.test(url)) return resolve(url);
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Returns the device of a path, or of the folder in which it will be created. */
async function deviceOf(path: string): Promise<number | undefined> {
  const device = await stat(path).then(
    ({ dev }) => dev,
    () => undefined,
  );
  const parent = dirname(path);
  return device ?? (parent === path ? undefined : deviceOf(parent));
}

export const BACKUP_CHECKS: readonly Check[] = [
  { name: 'backups', run: checkBackups },
  { name: 'backup key', run: checkSecret },
  { name: 'backup place', run: checkPlace },
];
