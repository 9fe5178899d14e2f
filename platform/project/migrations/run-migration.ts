/**
 * Runs SQL as a new migration: the statements, the record and the file belong together. The lock of the project is held until the
 * end, so that a process that follows the files finds the record, and does not apply the file a second time.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession, type Session, type Statement } from '@greenroom/postgres';
import pg from 'pg';
import { ensureHistory, insertRecord, readVersions } from '../database/history.ts';
import { lockProjectWithin } from '../database/lock.ts';
import type { Project } from '../find-project.ts';
import { ProjectError } from '../project-error.ts';
import { offsetOfPosition } from '../sql/excerpt.ts';
import type { SqlStatement } from '../sql/split.ts';
import { failedIndexOf } from '../sql/sql-file.ts';
import { commitsAtOnce } from '../sql/transactions.ts';
import { createMigrations, requireName, versionOf } from './create-migration.ts';
import { MigrationFailed, MigrationRefused } from './migration-errors.ts';
import { listMigrations } from './migration-files.ts';
import { readStatements } from './migration-statements.ts';
import { planMigrations } from './plan.ts';

const LOCK_WAIT_MS = 10_000;
/** A migration fails instead of making all requests wait behind it for a lock. */
const LOCK_TIMEOUT = '4s';
const DATED_VERSION = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

/** A condition of a migration: the first column of the first row of a query, as text. */
interface MigrationGuard {
  sql: string;
  parameters: readonly (string | null)[];
  value: string;
}

/** Options of {@link runMigration}. */
interface NewMigrationRun {
  /** Connection URL of the owner of the database. */
  url: string;
  /** Name of the connection in `pg_stat_activity`. */
  applicationName?: string;
  /** Undefined without one: then there is neither a file nor a record. */
  project: Project | undefined;
  name: string;
  sql: string;
  guard?: MigrationGuard | undefined;
  timeoutMs: number;
  now: Date;
  /** Called when the file is complete, before the commit. */
  onWritten?: () => void;
}

/** A migration that ran. */
interface RanMigration {
  /** Null without a project. */
  version: string | null;
  /** Relative to the folder of the project; null without one. */
  path: string | null;
  notices: readonly { severity: string; message: string }[];
}

/**
 * Runs the statements in one transaction, or a single statement that runs only outside of transactions. A process that ends before
 * the commit leaves a file that the next start applies. Throws {@link MigrationRefused} and {@link MigrationFailed}; then neither
 * file nor record remain.
 */
export async function runMigration(options: NewMigrationRun): Promise<RanMigration> {
  const statements = readStatements(options.sql);
  checkName(options.name);
  const notices: { severity: string; message: string }[] = [];
  const session = await openSession({
    url: options.url,
    applicationName: options.applicationName ?? 'greenroom migration',
    onNotice: (notice) => notices.push(notice),
  });
  try {
    if (!(await lockProjectWithin(session, LOCK_WAIT_MS)))
      throw new MigrationRefused('busy', 'Another process applies migrations. Try again in a moment.');
    const run = { ...options, session, statements };
    const [only] = statements;
    const isAlone = statements.length === 1 && only !== undefined && commitsAtOnce(only);
    return { ...(await (isAlone ? runAlone(run) : runTogether(run))), notices };
  } finally {
    await session.close();
  }
}

interface Run extends NewMigrationRun {
  session: Session;
  statements: readonly SqlStatement[];
}

type Place = Pick<RanMigration, 'version' | 'path'>;
const NO_FILE: Place = { version: null, path: null };

async function runTogether(run: Run): Promise<Place> {
  const { session, project } = run;
  const now = project && (await prepareHistory(run, project));
  await session.batch([{ text: 'begin' }, ...limits(run)]);
  await checkGuard(run);
  await runStatements(run);
  if (project === undefined || now === undefined) return commit(run, undefined);
  const file = newFile(run, project, now);
  await record(run, file.version);
  return commit(run, file);
}

/** The file is written after the statement: a start that repeats it would fail, because its effect exists already. */
async function runAlone(run: Run): Promise<Place> {
  const { session, project } = run;
  const now = project && (await prepareHistory(run, project));
  await session.batch(limits(run));
  await checkGuard(run);
  await runStatements(run);
  if (project === undefined || now === undefined) return NO_FILE;
  const file = newFile(run, project, now);
  await session.batch([{ text: 'begin' }]);
  await record(run, file.version);
  return commit(run, file);
}

/** Returns the time of the version, which follows those of all other migrations. */
async function prepareHistory({ session, now }: Run, project: Project): Promise<Date> {
  await ensureHistory(session);
  try {
    const { files } = await listMigrations(project);
    const history = await readVersions(session);
    const { pending } = planMigrations(files, history);
    if (pending.length > 0) {
      const names = pending.map(({ fileName }) => fileName).join(', ');
      throw new ProjectError(
        `these migrations are not applied: ${names}. Apply them: greenroom migration up`,
      );
    }
    return timeAfter(now, [...files, ...history]);
  } catch (error) {
    if (error instanceof ProjectError) throw new MigrationRefused('out-of-step', error.message);
    throw error;
  }
}

function timeAfter(now: Date, migrations: readonly { version: string }[]): Date {
  const times = migrations.map(({ version }) => {
    const [, year, month, day, hour, minute, second] = (DATED_VERSION.exec(version) ?? []).map(Number);
    return year === undefined
      ? 0
      : Date.UTC(year, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  });
  return new Date(Math.max(now.getTime(), ...times.map((time) => time + 1000)));
}

function limits({ timeoutMs }: Run): Statement[] {
  return [
    {
      text: `select set_config('lock_timeout', $1, false), set_config('statement_timeout', $2, false)`,
      values: [LOCK_TIMEOUT, String(timeoutMs)],
    },
  ];
}

async function checkGuard({ session, guard }: Run): Promise<void> {
  if (guard === undefined) return;
  const [[row] = []] = await session.batch([{ text: guard.sql, values: guard.parameters }]);
  const [value] = Object.values(row ?? {});
  const found = value === null || value === undefined ? null : String(value);
  if (found !== guard.value)
    throw new MigrationRefused('guard', 'The definition has changed. Compare both, and try again.', found);
}

async function runStatements({ session, statements }: Run): Promise<void> {
  try {
    await session.batch(statements.map(({ text }) => ({ text })));
  } catch (error) {
    throw failureOf(error, statements);
  }
}

function failureOf(error: unknown, statements: readonly SqlStatement[]): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const index = failedIndexOf(error) ?? statements.length;
  const statement = statements[index];
  const { position } = error;
  const offset =
    statement === undefined || position === undefined
      ? null
      : statement.offset + offsetOfPosition(statement.text, Number(position));
  return new MigrationFailed(error, index, offset);
}

/** The statements may have changed the role and the settings of the session. */
const RESET = ['reset session authorization', 'reset role', 'reset all'].map((text) => ({ text }));

async function record({ session, statements, name }: Run, version: string): Promise<void> {
  const texts = statements.map(({ text }) => text);
  await session.batch([...RESET, insertRecord({ version, name: requireName(name), statements: texts })]);
}

interface NewFile {
  version: string;
  write(): Promise<string>;
  remove(path: string): Promise<void>;
}

function newFile({ name, sql }: Run, { folder }: Project, now: Date): NewFile {
  return {
    version: versionOf(now),
    async write() {
      const [created] = await createMigrations({ folder, name, contents: [withFinalNewline(sql)], now });
      return created?.path ?? '';
    },
    remove: (path) => rm(join(folder, path), { force: true }),
  };
}

function withFinalNewline(sql: string): string {
  return `${sql.trimEnd()}\n`;
}

/** The file precedes the commit: a start applies a file without a record, but cannot restore a file of a record. */
async function commit({ session, statements, onWritten }: Run, file: NewFile | undefined): Promise<Place> {
  const path = await file?.write().catch(refuseFile);
  if (path !== undefined) onWritten?.();
  try {
    await session.batch([{ text: 'commit' }]);
  } catch (error) {
    // Without a response of the server, the commit may have succeeded, and its record needs the file.
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (file && path !== undefined) await file.remove(path);
    throw new MigrationFailed(error, statements.length, null);
  }
  return file ? { version: file.version, path: path ?? null } : NO_FILE;
}

function checkName(name: string): void {
  try {
    requireName(name);
  } catch (error) {
    throw new MigrationRefused('name', (error as Error).message);
  }
}

function refuseFile(error: unknown): never {
  throw new MigrationRefused('file', `The migration file cannot be written: ${(error as Error).message}`);
}
