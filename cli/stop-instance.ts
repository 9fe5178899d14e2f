/** Stops an instance that runs in another process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUseError, readInstanceRecord, requireFreeFolder } from '@greenroom/data-folder';
import type { Registry } from '@greenroom/instances';

/** The result of {@link stopInstance}. */
export type StopOutcome =
  | { kind: 'absent' }
  | { kind: 'stopped'; pid: number }
  | { kind: 'running'; pid: number; reason: string };

/** Open requests have 15 seconds, and PostgreSQL 20 seconds, before they are ended. */
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Sends SIGTERM to the instance on a data folder, and waits until another one could start there: open requests are answered
 * before. Does not stop other commands that use the folder.
 * @param registry undefined if it cannot be used
 */
export async function stopInstance(dataFolder: string, registry: Registry | undefined): Promise<StopOutcome> {
  const entry = await findEntry(dataFolder, registry);
  const pid = entry?.pid ?? (await findUnlisted(dataFolder));
  if (pid === undefined) return { kind: 'absent' };
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH') return { kind: 'running', pid, reason: message };
  }
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (!(await findEntry(dataFolder, registry)) && !(await isInUse(dataFolder)))
      return { kind: 'stopped', pid };
    await sleep(POLL_MS);
  }
  const seconds = STOP_TIMEOUT_MS / 1000;
  return {
    kind: 'running',
    pid,
    reason: `it did not stop within ${seconds} seconds. End it with kill ${pid}`,
  };
}

async function findEntry(dataFolder: string, registry: Registry | undefined) {
  const entries = (await registry?.list()) ?? [];
  return entries.find((entry) => entry.dataFolder === dataFolder);
}

/** Returns the process of an instance that is not in the registry, e.g. one of an older version. */
async function findUnlisted(dataFolder: string): Promise<number | undefined> {
  if (!(await isInUse(dataFolder))) return undefined;
  const record = await readInstanceRecord(dataFolder);
  return record?.ready ? record.pid : undefined;
}

async function isInUse(dataFolder: string): Promise<boolean> {
  try {
    await requireFreeFolder(dataFolder);
    return false;
  } catch (error) {
    if (error instanceof FolderInUseError) return true;
    throw error;
  }
}
