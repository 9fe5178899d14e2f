/** Replaces the database of a project by a new one, for `db reset` and `migration down`. */
import { readInstanceRecord, requireFreeFolder } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { publicUrlOf, requireEmbeddedDatabase, resetDatabase } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';
import type { ConfiguredProject } from './read-project.ts';

/** Options of {@link resetProject}. */
interface Reset extends Pick<ConfiguredProject, 'config' | 'toRun'> {
  /** Version of the last migration to apply; an empty text: none, undefined: all. */
  lastVersion: string | undefined;
}

/** Throws if the database cannot be reset: it is external, or the instance runs. */
export async function requireResettable(config: Config): Promise<void> {
  requireEmbeddedDatabase(config);
  await requireFreeFolder(config.dataDirectory);
}

/**
 * Returns the public URL of the instance, which may have data of users: of these settings, or of its last start, which
 * may have had other ones. Undefined if both are loopback URLs.
 */
export async function knownPublicUrl(config: Config): Promise<string | undefined> {
  const record = await readInstanceRecord(config.dataDirectory);
  return publicUrlOf(config) ?? record?.publicUrl;
}

/** Resets the database and prints the progress. Throws the errors of `resetDatabase`. */
export async function resetProject({ config, toRun, lastVersion }: Reset): Promise<void> {
  const log = createLogger(config.logLevel);
  await resetDatabase({ config, toRun, lastVersion, log, onProgress: print });
  print('the database is new. Start the instance: greenroom start');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
