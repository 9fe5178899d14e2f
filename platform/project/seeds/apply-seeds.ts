/** Runs the seed files of a project, all in one transaction. */
import type { Session, Statement } from '@greenroom/postgres';
import { RESET_SESSION } from '../database/project-session.ts';
import {
  failedIndexOf,
  hashOfSql,
  readSqlFile,
  requestOf,
  type SqlFile,
  statementError,
} from '../sql/sql-file.ts';
import { hasCommittedBefore } from '../sql/transactions.ts';
import type { SeedLocation } from './find-seeds.ts';

const FINISH = { text: 'update greenroom.project set are_seeds_due = false' };

/** Whether the database is new, and has not been seeded yet. */
export async function areSeedsDue(session: Session): Promise<boolean> {
  const [[row] = []] = await session.batch([{ text: 'select are_seeds_due from greenroom.project' }]);
  return row?.are_seeds_due === true;
}

/**
 * Runs the files like {@link runSeeds}; then no start seeds the database again. Without files, only records that.
 */
export async function applySeeds(session: Session, locations: readonly SeedLocation[]): Promise<void> {
  await runSteps(session, locations, [FINISH]);
}

/**
 * Runs the files and records them. Throws `SqlFileError` for the first statement that fails; then the session must be
 * closed.
 */
export async function runSeeds(session: Session, locations: readonly SeedLocation[]): Promise<void> {
  if (locations.length > 0) await runSteps(session, locations, []);
}

async function runSteps(
  session: Session,
  locations: readonly SeedLocation[],
  last: readonly Step['statement'][],
): Promise<void> {
  const files = await Promise.all(locations.map(({ location, path }) => readSqlFile(location, path)));
  const steps = files.flatMap(stepsOf);
  try {
    await session.batch([...steps.map(({ statement }) => statement), ...last]);
  } catch (error) {
    throw seedError(files, steps, error);
  }
}

/** A statement of the batch, and its place if it belongs to a file. */
interface Step {
  statement: Statement;
  place?: { file: SqlFile; index: number };
}

function stepsOf(file: SqlFile): Step[] {
  return [
    ...RESET_SESSION.map((statement) => ({ statement })),
    ...file.statements.map((statement, index) => ({
      statement: requestOf(statement),
      place: { file, index },
    })),
    ...RESET_SESSION.map((statement) => ({ statement })),
    { statement: recordOf(file) },
  ];
}

function recordOf({ path, sql }: SqlFile) {
  return {
    text: `insert into supabase_migrations.seed_files (path, hash) values ($1, $2)
      on conflict (path) do update set hash = excluded.hash`,
    values: [path, hashOfSql(sql)],
  };
}

function seedError(files: readonly SqlFile[], steps: readonly Step[], error: unknown): unknown {
  const failed = failedIndexOf(error);
  if (failed === undefined) return error;
  const place = steps[failed]?.place ?? endOfLastFile(files);
  if (place === undefined) return error;
  const before = files.slice(0, files.indexOf(place.file));
  const isKept =
    hasCommittedBefore(place.file.statements, place.index) ||
    before.some(({ statements }) => hasCommittedBefore(statements, statements.length));
  const advice = isKept
    ? [
        'A seed file ends transactions itself, so earlier seeds are kept. Mend the file, then run: greenroom db reset',
      ]
    : ['No seeds were kept. Mend the file, and try again.'];
  return statementError(place.file, { index: place.index, error: error as Error, advice });
}

/** A deferred constraint fails at the commit, after all files. */
function endOfLastFile(files: readonly SqlFile[]): Step['place'] {
  const file = files.at(-1);
  return file && { file, index: file.statements.length };
}
