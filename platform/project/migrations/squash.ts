/**
 * Joins migrations to one file. The Supabase CLI writes a dump of the schema instead, which drops the rows that migrations
 * write; here all statements are kept in their order.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { openSession, type Session } from '@greenroom/postgres';
import { deleteRecords, ensureHistory, readHistory, upsertRecord } from '../database/history.ts';
import { withProjectSession } from '../database/project-session.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { terminatedFile } from '../sql/join.ts';
import { parseSqlFile, recordedText, type SqlFile, SqlFileError } from '../sql/sql-file.ts';
import { applyContent, pathOf, readMigration } from './apply.ts';
import { listMigrations, type MigrationFile } from './migration-files.ts';
import { isEdited } from './plan.ts';

/** Migrations to join. */
export interface Squash {
  /** The last of the migrations; its file receives the content. */
  target: MigrationFile;
  /** Those before it, whose files are removed. */
  merged: readonly MigrationFile[];
  /** The files before the change, of `merged` and of `target`. */
  sources: readonly SqlFile[];
  content: SqlFile;
}

/** Each file begins with the default settings and role. */
const RESET = 'reset session authorization;\nreset all;\n';

/**
 * Joins the migrations up to a version, by default all of them. Throws {@link ProjectError} for a version without a file or
 * a project without migrations, and `SqlFileError` for a file that cannot be split.
 */
export async function planSquash(project: Project, version: string | undefined): Promise<Squash> {
  const { files } = await listMigrations(project);
  const index =
    version === undefined ? files.length - 1 : files.findIndex((file) => file.version === version);
  const target = files[index];
  if (target === undefined)
    throw new ProjectError(
      version === undefined
        ? 'supabase/migrations has no migrations.'
        : `supabase/migrations has no file with the version ${version}.`,
    );
  const joined = files.slice(0, index + 1);
  const sources = await Promise.all(joined.map(readMigration));
  const content = parseSqlFile(pathOf(target), joinFiles(joined, sources));
  return { target, merged: joined.slice(0, -1), sources, content };
}

function joinFiles(files: readonly MigrationFile[], sources: readonly SqlFile[]): string {
  const parts = sources.map((source, index) => {
    const isLast = index === sources.length - 1;
    const reset = !isLast && changesSession(source) ? RESET : '';
    return `-- ${files[index]?.fileName}\n${terminatedFile(source.sql)}\n${reset}`;
  });
  return parts.join('\n');
}

/** Whether a file may change the settings or the role of its session. */
function changesSession({ statements }: SqlFile): boolean {
  return statements.some(({ words, text }) => words[0] === 'set' || /\bset_config\s*\(/i.test(text));
}

/**
 * Applies the joined file to a database without migrations. Throws {@link ProjectError} if it fails: statements that run
 * only outside of transactions cannot be joined.
 */
export async function tryMigration(url: string, { target, content }: Squash): Promise<void> {
  const session = await openSession({ url, applicationName: 'greenroom project' });
  try {
    await ensureHistory(session);
    await applyContent(session, target, content);
  } catch (error) {
    if (!(error instanceof SqlFileError)) throw error;
    throw new ProjectError(
      `the joined migrations cannot be applied to a new database, so no file was changed. In the joined file:\n${error.message}\n` +
        'To join only those before this statement, use --version.',
      { cause: error },
    );
  } finally {
    await session.close();
  }
}

/**
 * Writes the files and updates the history, if it has the migrations: their records become one. Throws
 * {@link ProjectError} if only some of them are applied, or if files were edited since; then nothing changes.
 */
export async function squashHistory(url: string, squash: Squash): Promise<void> {
  await withProjectSession({ url, onProgress: () => {} }, async (session) => {
    const isApplied = await requireSameState(session, squash);
    const { target, merged, content } = squash;
    const record = {
      version: target.version,
      name: target.name,
      statements: content.statements.map(recordedText),
    };
    await writeTarget(squash, async () => {
      if (!isApplied) return;
      await session.batch([deleteRecords(merged.map(({ version }) => version)), upsertRecord(record)]);
    });
  });
  await removeMerged(squash);
}

/** Writes the files for a project without a database. */
export async function squashFiles(squash: Squash): Promise<void> {
  await writeTarget(squash, async () => {});
  await removeMerged(squash);
}

/** Returns whether the migrations are applied. */
async function requireSameState(session: Session, { target, merged, sources }: Squash): Promise<boolean> {
  const history = await readHistory(session);
  const records = new Map(history.map((record) => [record.version, record]));
  const files = [...merged, target];
  const pending = files.filter(({ version }) => !records.has(version));
  if (pending.length === files.length) return false;
  if (pending.length > 0) {
    throw new ProjectError(
      `the database has only some of these migrations; it lacks ${names(pending)}. Apply them first: greenroom migration up`,
    );
  }
  const edited = files.filter(({ version }, index) => {
    const [source, record] = [sources[index], records.get(version)];
    return source !== undefined && record !== undefined && isEdited(source.sql, record);
  });
  if (edited.length === 0) return true;
  throw new ProjectError(
    `${names(edited)} ${edited.length > 1 ? 'were' : 'was'} edited after being applied. ` +
      'First apply the new content to a new database: greenroom db reset',
  );
}

function names(files: readonly MigrationFile[]): string {
  return files.map(({ fileName }) => fileName).join(', ');
}

/** Replaces the file of the target, runs `next`, and restores the former content if that fails. */
async function writeTarget({ target, content, sources }: Squash, next: () => Promise<void>): Promise<void> {
  const former = sources.at(-1)?.sql ?? '';
  await replaceFile(target.location, content.sql);
  try {
    await next();
  } catch (error) {
    await replaceFile(target.location, former);
    throw error;
  }
}

/** Hidden files are no migrations. */
async function replaceFile(location: string, text: string): Promise<void> {
  const temporary = location.replace(/[^/\\]+$/, (name) => `.${name}.new`);
  await writeFile(temporary, text);
  await rename(temporary, location);
}

async function removeMerged({ merged }: Squash): Promise<void> {
  for (const { location } of merged) await rm(location);
}
