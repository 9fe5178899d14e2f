/** Runs a test instance: copies the prepared data folder, serves, and removes the folder at the end. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFailure } from '../../embedding/report.ts';
import { explainError } from '../../explain-error.ts';
import { serveInstance } from '../../serve-instance.ts';
import type { ProjectOptions } from '../../settings.ts';
import { SPEC_VARIABLE, type TestInstanceSpec } from '../protocol.ts';
import { FOLDER_PREFIX, removeAbandonedFolders } from './abandoned-folders.ts';
import { moveClockOnRequest } from './clock-requests.ts';
import { instancesFolder } from './instances-folder.ts';
import { DEFAULT_SETTINGS, isolatedSettings } from './isolated-settings.ts';
import { copyPreparedFolder } from './prepared-folder.ts';

const EXIT_DELAY_MS = 2000;

/** Serves until the test closes the instance or ends. Reports an error of the start to the test. */
export async function runTestInstance(moveClock: (ms: number) => void): Promise<void> {
  for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);
  const spec: TestInstanceSpec = JSON.parse(process.env[SPEC_VARIABLE] ?? '{}');
  process.exitCode = await serve(spec, moveClock).catch((error: unknown) => {
    reportFailure(error, explainError(error, true).join('\n'));
    return 1;
  });
  // A connection with a peer that has gone silent must not keep the process alive.
  setTimeout(() => process.exit(), EXIT_DELAY_MS).unref();
}

async function serve(
  { project, pages, settings }: TestInstanceSpec,
  moveClock: (ms: number) => void,
): Promise<number> {
  const folder = await mkdtemp(join(await instancesFolder(), FOLDER_PREFIX));
  try {
    // PostgreSQL's user must be able to enter the folder.
    await chmod(folder, 0o711);
    // The registry of running instances is for those that people start.
    process.env.XDG_STATE_HOME = join(folder, 'state');
    const dataFolder = join(folder, 'data');
    const flags = { ...DEFAULT_SETTINGS, ...settings, GREENROOM_DATA_DIR: dataFolder };
    const options: ProjectOptions = { project, flags, without: isolatedSettings };
    await copyPreparedFolder(options, dataFolder);
    moveClockOnRequest(dataFolder, moveClock);
    void removeAbandonedFolders(folder);
    return await serveInstance(pages ? 'built' : 'none', options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
