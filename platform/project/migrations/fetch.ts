/** Writes the migrations of a history as files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '@greenroom/postgres';
import { type AppliedMigration, readHistory } from '../database/history.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { fileOfStatements } from '../sql/join.ts';
import { readText } from './apply.ts';
import { listMigrations } from './migration-files.ts';
import { isEdited } from './plan.ts';

/** A file to write. */
interface FetchedFile {
  fileName: string;
  sql: string;
  /** Whether a file with another content exists. */
  isReplaced: boolean;
}

/** The result of {@link planFetch}. */
interface FetchPlan {
  /** Without the migrations whose files are there already. */
  files: readonly FetchedFile[];
  /** One line for each migration that cannot be written. */
  notes: readonly string[];
}

/** Names of the history come from a database, and must not leave the folder. */
const NAME = /^[^/\\\0]{0,200}$/;

/**
 * Compares a history with the files of a project. Throws {@link ProjectError} for a version or a name of the history that
 * cannot be part of a file name.
 * @param url connection URL of the owner of the database
 */
export async function planFetch(url: string, project: Project): Promise<FetchPlan> {
  const { files: existing } = await listMigrations(project);
  const session = await openSession({ url, applicationName: 'greenroom project' });
  const history = await readHistory(session).finally(() => session.close());
  const files: FetchedFile[] = [];
  const notes: string[] = [];
  for (const record of history) {
    const { version, statements } = record;
    const file = existing.find((each) => each.version === version);
    if (statements === undefined) {
      notes.push(`skipped ${version}: the history does not have its statements`);
    } else if (file === undefined || isEdited(readText(file), record)) {
      const fileName = file?.fileName ?? fileNameOf(record);
      files.push({ fileName, sql: fileOfStatements(statements), isReplaced: file !== undefined });
    }
  }
  return { files, notes };
}

/** Writes files to `supabase/migrations`, which is created if it does not exist. */
export async function writeFetched(
  { supabaseFolder }: Project,
  files: readonly Pick<FetchedFile, 'fileName' | 'sql'>[],
): Promise<void> {
  const folder = join(supabaseFolder, 'migrations');
  await mkdir(folder, { recursive: true });
  for (const { fileName, sql } of files) await writeFile(join(folder, fileName), sql);
}

function fileNameOf({ version, name = '' }: AppliedMigration): string {
  if (/^[0-9]{1,40}$/.test(version) && NAME.test(name)) return `${version}_${name}.sql`;
  throw new ProjectError(
    `the history has a migration whose name cannot be that of a file: ${JSON.stringify(`${version}_${name}`)}.`,
  );
}
