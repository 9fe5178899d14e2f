/** Runs the lints on a database. */
import { failedStatementOf, openSession, type Statement } from '@greenroom/postgres';
import { type Finding, findingOf, type Lint } from './lint.ts';
import { LINTS } from './lints.ts';
import { SKIPPED_SCHEMAS } from './schemas.ts';
import { SOURCES } from './sources.ts';

/** Options of {@link advise}. */
interface AdviceOptions {
  /** Connection URL. The rights of the owner of the database are sufficient. */
  url: string;
  /** Schemas of the data API. */
  exposedSchemas: readonly string[];
}

/** Runs statements of one transaction, and returns their rows. */
type RunStatements = (statements: readonly Statement[]) => Promise<Record<string, unknown>[][]>;

/** PostgreSQL refused the query of a lint. */
class LintError extends Error {
  override readonly name = 'LintError';
}

/** The transaction changes nothing, and its statements see one snapshot. Names of all schemas are qualified. */
const BEGIN: readonly Statement[] = [
  { text: 'begin isolation level repeatable read read only' },
  { text: "set local search_path = ''" },
];

/**
 * Returns the findings of all lints, in the order of the lints. Rejects with an error that names the lint whose query failed, or
 * with the error of the connection.
 */
export async function advise({ url, exposedSchemas }: AdviceOptions): Promise<Finding[]> {
  const session = await openSession({ url, applicationName: 'greenroom advisors' });
  try {
    await session.batch(BEGIN);
    return await runLints(LINTS, exposedSchemas, (statements) => session.batch(statements));
  } finally {
    await session.close();
  }
}

/** Runs lints in a transaction with an empty search path. */
export async function runLints(
  lints: readonly Lint[],
  exposedSchemas: readonly string[],
  run: RunStatements,
): Promise<Finding[]> {
  const missing = await findUnreadable(lints, run);
  const runnable = lints.filter(({ reads }) => reads === undefined || !missing.has(reads));
  const values = [exposedSchemas, SKIPPED_SCHEMAS];
  const statements = runnable.map(({ sql }) => ({ text: `${SOURCES} (${sql})`, values }));
  const results = await run(statements).catch((error: Error) => {
    throw errorOfLint(error, runnable);
  });
  return runnable.flatMap((lint, index) =>
    (results[index] ?? []).flatMap((row) => findingOf(lint, row) ?? []),
  );
}

/** Returns an error that names the lint whose query failed; other errors are of the connection. */
function errorOfLint(error: Error, lints: readonly Lint[]): Error {
  const lint = lints[failedStatementOf(error) ?? -1];
  return lint === undefined
    ? error
    : new LintError(`the lint ${lint.name} failed: ${error.message}`, { cause: error });
}

/** Returns the tables that lints read, and that do not exist or that the role may not read. */
async function findUnreadable(lints: readonly Lint[], run: RunStatements): Promise<ReadonlySet<string>> {
  const tables = lints.flatMap(({ reads }) => reads ?? []);
  const [rows = []] = await run([
    {
      text: `select name from unnest($1::text[]) as name
        where has_table_privilege(to_regclass(name), 'select') is not true`,
      values: [tables],
    },
  ]);
  return new Set(rows.map(({ name }) => String(name)));
}
