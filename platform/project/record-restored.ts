/** The state of a project's database that was restored from a backup. */
import { readVersions } from './database/history.ts';
import { withProjectSession } from './database/project-session.ts';
import { NO_VERSION, writeLastVersion } from './migrations/held.ts';

/** Options of {@link recordRestored}. */
interface RestoredDatabase {
  /** Connection URL of the owner of the database. */
  url: string;
  /** Receives lines for the user. */
  onProgress: (line: string) => void;
}

const NOTHING_DUE = `
  update greenroom.project set has_run_project = true, are_seeds_due = false, are_objects_due = false`;

/**
 * Records that the database has the data of a project: later starts run no seeds, upload no objects, and hold migrations
 * back that are not in the history of the backup.
 */
export async function recordRestored(options: RestoredDatabase): Promise<void> {
  await withProjectSession(options, async (session) => {
    const versions = await readVersions(session);
    await session.batch([{ text: NOTHING_DUE }]);
    await writeLastVersion(session, versions.at(-1)?.version ?? NO_VERSION);
  });
}
