/** Applies the files of a declared schema to a new database, whatever the order in which they refer to each other. */
import { openSession, type Session } from '@greenroom/postgres';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { findSeeds } from '../seeds/find-seeds.ts';
import type { SqlStatement } from '../sql/split.ts';
import { failedIndexOf, readSqlFile, requestOf, type SqlFile, statementError } from '../sql/sql-file.ts';

/**
 * Reads the files that paths and globs name, relative to `supabase/`. Throws {@link ProjectError} if one of them matches no
 * file, and `SqlFileError` for a file that cannot be split.
 */
export async function readDeclaredFiles(project: Project, paths: readonly string[]): Promise<SqlFile[]> {
  const { files, unmatched } = await findSeeds(project, paths);
  if (unmatched.length > 0)
    throw new ProjectError(
      `no file of the declared schema matches ${unmatched.map((path) => JSON.stringify(path)).join(', ')}. ` +
        `Paths and globs are relative to ${project.supabaseFolder}.`,
    );
  return Promise.all(files.map(({ location, path }) => readSqlFile(location, path)));
}

/** The state of one file. */
interface Progress {
  file: SqlFile;
  /** Number of statements that are applied. */
  done: number;
  /** Error of the first statement that is not applied. */
  error: Error | undefined;
}

/**
 * Applies the statements of each file in their order. A statement that fails is tried again after those of the other files,
 * as long as any of them succeeds. Throws `SqlFileError` for the first statement that cannot be applied.
 * @param url connection URL of the owner of the database, which no other caller uses
 */
export async function applyDeclaredFiles(url: string, files: readonly SqlFile[]): Promise<void> {
  const states = files.map((file): Progress => ({ file, done: 0, error: undefined }));
  for (let isAdvancing = true; isAdvancing; ) {
    isAdvancing = false;
    for (const state of states.filter(isUnfinished)) {
      const before = state.done;
      await advance(url, state);
      isAdvancing ||= state.done > before;
    }
  }
  const stuck = states.find(isUnfinished);
  if (stuck?.error !== undefined) throw statementError(stuck.file, { index: stuck.done, error: stuck.error });
}

function isUnfinished({ file, done }: Progress): boolean {
  return done < file.statements.length;
}

/** Applies statements of a file until one fails. Each file has its own session, with the settings that it makes. */
async function advance(url: string, state: Progress): Promise<void> {
  const { statements } = state.file;
  const session = await openSession({ url, applicationName: 'greenroom schema comparison' });
  try {
    const settings = statements.slice(0, state.done).filter(({ words }) => words[0] === 'set');
    await session.batch([
      { text: 'set check_function_bodies = off' },
      ...settings.map(({ text }) => ({ text })),
    ]);
    state.error = undefined;
    for (const statement of statements.slice(state.done)) {
      state.error = await failureOf(session, statement);
      if (state.error !== undefined) break;
      state.done++;
    }
  } finally {
    await session.close();
  }
}

async function failureOf(session: Session, statement: SqlStatement): Promise<Error | undefined> {
  try {
    await session.batch([requestOf(statement)]);
    return undefined;
  } catch (error) {
    if (failedIndexOf(error) === undefined) throw error;
    return error as Error;
  }
}
