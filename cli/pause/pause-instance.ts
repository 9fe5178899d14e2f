/** Runs work on the data folder of a running instance, which stops for this time and starts again afterwards. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FolderInUseError,
  isProcessAlive,
  readInstanceRecord,
  requireFreeFolder,
} from '@greenroom/data-folder';
import { PAUSE_SIGNAL, requestPause, withdrawPause } from './pause-file.ts';

/** The instance finishes open requests before it releases the folder. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Options of {@link withPausedInstance}. */
interface PauseOptions {
  dataDirectory: string;
  onProgress: (line: string) => void;
}

/** The work; receives whether an instance is paused for it. */
type Work<T> = (isPaused: boolean) => Promise<T>;

/**
 * Runs `work` when no process holds the data folder; resolves when a paused instance accepts requests again. Throws `FolderInUseError` if its holder is no running instance, or
 * does not release it.
 */
export async function withPausedInstance<T>(options: PauseOptions, work: Work<T>): Promise<T> {
  const folder = resolve(options.dataDirectory);
  const holder = await holderOf(folder);
  if (holder === undefined) return work(false);
  const record = await readInstanceRecord(folder);
  if (process.platform === 'win32' || !record?.ready || record.pid !== holder.pid) throw holder;
  options.onProgress('pausing the running instance');
  await requestPause(folder);
  try {
    process.kill(record.pid, PAUSE_SIGNAL);
    await waitUntilFree(folder);
    return await work(true);
  } finally {
    await withdrawPause(folder);
    await waitUntilReady(folder, record.pid);
  }
}

/** Ends early if the process ends: it has printed the reason. */
async function waitUntilReady(folder: string, pid: number): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (isProcessAlive(pid) && performance.now() < deadline) {
    const record = await readInstanceRecord(folder);
    if (record?.ready && record.pid === pid) return;
    await sleep(POLL_MS);
  }
}

async function holderOf(folder: string): Promise<FolderInUseError | undefined> {
  try {
    await requireFreeFolder(folder);
    return undefined;
  } catch (error) {
    if (error instanceof FolderInUseError) return error;
    throw error;
  }
}

async function waitUntilFree(folder: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const holder = await holderOf(folder);
    if (holder === undefined) return;
    if (performance.now() > deadline) throw holder;
    await sleep(POLL_MS);
  }
}
