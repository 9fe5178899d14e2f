/** Lists the migrations of a project with their state in a database. */
import { openSession } from '@greenroom/postgres';
import { readHistory } from '../database/history.ts';
import type { Project } from '../find-project.ts';
import { readText } from './apply.ts';
import { listMigrations } from './migration-files.ts';
import { isEdited } from './plan.ts';

/** A version that the project, the database or both have. */
export interface MigrationState {
  version: string;
  name: string;
  hasFile: boolean;
  isApplied: boolean;
  /** Whether the file differs from the applied migration. */
  isEdited: boolean;
}

/**
 * Returns the migrations in the order of their versions.
 * @param url connection URL of the owner of the database
 */
export async function listStates(url: string, project: Project): Promise<MigrationState[]> {
  const { files } = await listMigrations(project);
  const session = await openSession({ url, applicationName: 'greenroom project' });
  const history = await readHistory(session).finally(() => session.close());
  const records = new Map(history.map((record) => [record.version, record]));
  const states = new Map<string, MigrationState>();
  for (const { version, name = '' } of history)
    states.set(version, { version, name, hasFile: false, isApplied: true, isEdited: false });
  for (const file of files) {
    const { version, name } = file;
    const record = records.get(version);
    const edited = record !== undefined && isEdited(readText(file), record);
    states.set(version, { version, name, hasFile: true, isApplied: record !== undefined, isEdited: edited });
  }
  return [...states.values()].sort((a, b) => (a.version < b.version ? -1 : 1));
}
