/** Verifies a backup: restores it into a folder that is removed afterwards. */
import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type Archive,
  ArchiveError,
  type ContentTarget,
  planOwnState,
  readManifest,
  writeCheck,
} from '@greenroom/backup';
import type { ProjectToRun } from '@greenroom/project';
import pg from 'pg';
import type { Config } from '../settings.ts';
import { VERSION } from '../version.ts';
import { type CheckedParts, isDamage } from './check-database/check-database.ts';
import { restoreInto } from './restore-into.ts';

const FOLDER = 'verifying';
const NOTHING: CheckedParts = { indexes: 0, tables: 0, rows: 0 };

/** Options of {@link verifyInstanceBackup}. */
interface VerifyOptions {
  archive: Archive;
  /** Id of the backup. */
  id: string;
  config: Config;
  project: ProjectToRun | undefined;
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

/** Result of a verification. */
interface Verification {
  /** Empty if the backup is good. */
  problems: string[];
  checked: CheckedParts;
  /** Number of objects whose hash was checked. */
  objects: number;
}

/** Restores, starts and checks a backup, and records the result in the archive. */
export async function verifyInstanceBackup(options: VerifyOptions): Promise<Verification> {
  const { archive, id, config, signal } = options;
  const folder = await trialFolder(resolve(config.dataDirectory));
  // Also a backup of an external database, whose server may have no room for another one.
  const embedded = { ...config, databaseUrl: undefined };
  const result = await readManifest(archive, id)
    .then((manifest) =>
      restoreInto({
        ...options,
        config: embedded,
        plan: planOwnState(manifest),
        folder,
        openTarget: openReader,
      }),
    )
    .then(({ problems, checked, objects }) => ({ problems, checked, objects: objects.count }))
    .catch((error: Error) => {
      if (signal.aborted || !isAboutBackup(error)) throw error;
      return { problems: [error.message], checked: NOTHING, objects: 0 };
    })
    .finally(() => rm(folder, { recursive: true, force: true }));
  await writeCheck(archive, id, {
    checkedAt: new Date().toISOString(),
    greenroomVersion: VERSION,
    method: 'restored',
    problems: result.problems,
  });
  return result;
}

/** Codes of errors of the disk of the data folder. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EMFILE',
]);

/** Whether an error says something about the backup, instead of the place, the keys or the disk of this machine. */
function isAboutBackup(error: Error): boolean {
  if (error instanceof ArchiveError) return error.kind === 'damaged' || error.kind === 'missing';
  if (error instanceof pg.DatabaseError) return isDamage(error);
  return !OF_THIS_MACHINE.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Returns a folder in the data folder, because a service manager or a container may let the server write to no other. On
 * a machine without an instance, it is next to the data folder: an empty one would be in the way of a restore.
 */
async function trialFolder(dataFolder: string): Promise<string> {
  const exists = await stat(dataFolder).then(
    () => true,
    () => false,
  );
  return exists ? join(dataFolder, FOLDER) : `${dataFolder}.${FOLDER}`;
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
