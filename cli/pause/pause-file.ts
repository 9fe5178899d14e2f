/** The file in a data folder by which another command asks the running instance to release the folder for a while. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '@greenroom/data-folder';

const NAME = 'pause';

/** The signal that makes an instance look for the file. Windows has no signals. */
export const PAUSE_SIGNAL: NodeJS.Signals = 'SIGUSR1';

/** Whether a command that still runs has requested a pause. */
export function isPauseRequested(dataFolder: string): boolean {
  try {
    return isProcessAlive(Number(readFileSync(join(dataFolder, NAME), 'utf8')));
  } catch {
    return false;
  }
}

/** Requests a pause until {@link withdrawPause}, or until this process ends. */
export function requestPause(dataFolder: string): Promise<void> {
  return writeFile(join(dataFolder, NAME), String(process.pid), { mode: 0o600 });
}

/** Ends the request. */
export function withdrawPause(dataFolder: string): Promise<void> {
  return rm(join(dataFolder, NAME), { force: true });
}
