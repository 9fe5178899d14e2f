/** Replaces the database of a project by a new one, for `db reset` and `migration down`. */
import { readInstanceRecord } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { publicUrlOf, resetDatabase } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';
import { withPausedInstance } from './pause/pause-instance.ts';
import type { ConfiguredProject } from './read-project.ts';

/** Options of {@link resetProject}. */
interface Reset extends Pick<ConfiguredProject, 'config' | 'toRun'> {
  /** Version of the last migration to apply; an empty text: none, undefined: all. */
  lastVersion: string | undefined;
}

/**
 * Returns the public URL of the instance, which may have data of users: of these settings, or of its last start, which
 * may have had other ones. Undefined if both are loopback URLs.
 */
export async function knownPublicUrl(config: Config): Promise<string | undefined> {
  const record = await readInstanceRecord(config.dataDirectory);
  return publicUrlOf(config) ?? record?.publicUrl;
}

/**
 * Resets the database and prints the progress. A running instance is paused meanwhile. Throws the errors of
 * `resetDatabase`.
 */
export async function resetProject({ config, toRun, lastVersion }: Reset): Promise<void> {
  const log = createLogger(config.logLevel);
  const { dataDirectory } = config;
  await withPausedInstance({ dataDirectory, onProgress: print }, async (isPaused) => {
    await resetDatabase({ config, toRun, lastVersion, log, onProgress: print });
    const next = isPaused ? 'The instance continues.' : 'Start the instance: greenroom start';
    print(`the database is new. ${next}`);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
