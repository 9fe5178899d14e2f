/** Changes the history of a database without running migrations. */
import type { Session } from '@greenroom/postgres';
import { deleteRecords, type MigrationRecord, upsertRecord } from '../database/history.ts';
import { withProjectSession } from '../database/project-session.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { readMigration } from './apply.ts';
import { listMigrations } from './migration-files.ts';

/** Options of {@link repairHistory}. */
interface Repair {
  /** Connection URL of the owner of the database. */
  url: string;
  project: Project;
  status: 'applied' | 'reverted';
  versions: readonly string[];
}

/**
 * Records versions as applied, with the content of their files, or removes them from the history. All of them or, if one
 * cannot be changed, none. Throws {@link ProjectError} for a version without a file that should be applied.
 */
export async function repairHistory({ url, project, status, versions }: Repair): Promise<void> {
  const wrong = versions.find((version) => !/^[0-9]+$/.test(version));
  if (wrong !== undefined)
    throw new ProjectError(`"${wrong}" is not the version of a migration: use digits only.`);
  const records = status === 'applied' ? await recordsOf(project, versions) : [];
  await withProjectSession({ url, onProgress: () => {} }, (session) => write(session, records, versions));
}

async function write(
  session: Session,
  records: readonly MigrationRecord[],
  versions: readonly string[],
): Promise<void> {
  await session.batch(records.length > 0 ? records.map(upsertRecord) : [deleteRecords(versions)]);
}

async function recordsOf(project: Project, versions: readonly string[]): Promise<MigrationRecord[]> {
  const { files } = await listMigrations(project);
  return Promise.all(
    versions.map(async (version) => {
      const file = files.find((candidate) => candidate.version === version);
      if (!file) throw new ProjectError(`supabase/migrations has no file with the version ${version}.`);
      const { statements } = await readMigration(file);
      return { version, name: file.name, statements: statements.map(({ text }) => text) };
    }),
  );
}
