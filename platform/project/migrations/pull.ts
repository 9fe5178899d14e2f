/** Compares the files of a project with the history of another database, before its schema is pulled. */
import { openSession } from '@greenroom/postgres';
import { readHistory } from '../database/history.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { listMigrations } from './migration-files.ts';

/**
 * Throws {@link ProjectError} if the database lacks a migration of the project, or has one without a file: their schemas
 * would differ by it.
 * @param url connection URL of the owner of the database
 */
export async function requireSameHistory(url: string, project: Project): Promise<void> {
  const { files } = await listMigrations(project);
  const session = await openSession({ url, applicationName: 'greenroom pull' });
  const history = await readHistory(session).finally(() => session.close());
  const applied = new Set(history.map(({ version }) => version));
  const existing = new Set(files.map(({ version }) => version));
  const missing = history.filter(({ version }) => !existing.has(version)).map(({ version }) => version);
  const pending = files.filter(({ version }) => !applied.has(version)).map(({ fileName }) => fileName);
  const problems = [
    ...(missing.length > 0
      ? [
          `supabase/migrations has no files of these migrations of the database: ${missing.join(', ')}. ` +
            'Write them: greenroom migration fetch --db-url <url>',
        ]
      : []),
    ...(pending.length > 0
      ? [
          `the database does not have these migrations: ${pending.join(', ')}. ` +
            'Apply them: greenroom db push --db-url <url>',
        ]
      : []),
  ];
  if (problems.length > 0) throw new ProjectError(problems.join('\n'));
}
