/**
 * Checks PL/pgSQL functions with the extension plpgsql_check. The transaction that creates the extension is rolled back, so the
 * database does not change.
 */
import { openSession, PLACEHOLDER_VERSION, quoteIdentifier, type Session } from '@greenroom/postgres';
import { PLATFORM_SCHEMAS } from '@greenroom/project/platform-schemas';

const PACKAGE = 'postgresql-18-plpgsql-check';

/** A problem of a function, in the form in which plpgsql_check reports it. */
export interface Issue {
  /** `error`, or a text that begins with `warning`, among others. */
  level: string;
  message: string;
  statement?: { lineNumber: string; text: string };
  query?: { position: string; text: string };
  hint?: string;
  detail?: string;
  context?: string;
  sqlState?: string;
}

/** A function with problems. */
export interface CheckedFunction {
  /** Name with its schema. */
  function: string;
  issues: Issue[];
}

/** Options of {@link checkFunctions}. */
interface FunctionCheck {
  url: string;
  /** Undefined: all schemas of the project. */
  schemas: readonly string[] | undefined;
  /** Called before the functions of each schema are checked. */
  onSchema: (name: string) => void;
}

/** The functions cannot be checked. */
class FunctionCheckError extends Error {
  override readonly name = 'FunctionCheckError';
}

/**
 * Returns the functions with problems, without functions of triggers, whose tables are unknown. Throws an error with the
 * command that adds the extension if the server does not have it, and one with the names of all schemas for an unknown one.
 */
export async function checkFunctions({ url, schemas, onSchema }: FunctionCheck): Promise<CheckedFunction[]> {
  const session = await openSession({ url, applicationName: 'greenroom db lint' });
  try {
    await session.batch([{ text: 'begin' }]);
    const names = await chooseSchemas(session, schemas);
    const check = await createCheck(session);
    const checked: CheckedFunction[] = [];
    for (const schema of names) {
      onSchema(schema);
      checked.push(...(await checkSchema(session, { schema, check })));
    }
    await session.batch([{ text: 'rollback' }]);
    return checked;
  } finally {
    // Also rolls back after an error.
    await session.close();
  }
}

async function chooseSchemas(
  session: Session,
  schemas: readonly string[] | undefined,
): Promise<readonly string[]> {
  const [rows = []] = await session.batch([
    {
      text: `select nspname::text as name from pg_namespace
        where nspname !~ '^pg_' and nspname <> 'information_schema' order by nspname`,
    },
  ]);
  const existing = rows.map(({ name }) => String(name));
  if (schemas === undefined) return existing.filter((name) => !PLATFORM_SCHEMAS.includes(name));
  const missing = schemas.filter((name) => !existing.includes(name));
  if (missing.length === 0) return [...new Set(schemas)];
  throw new FunctionCheckError(
    `the database has no ${missing.length > 1 ? 'schemas' : 'schema'} ${missing.join(', ')}. Its schemas: ${existing.join(', ')}.`,
  );
}

/** Returns the name of the function that checks others. */
async function createCheck(session: Session): Promise<string> {
  await requireFiles(session);
  const schema = (await findCheck(session)) ?? (await createExtension(session));
  return `${quoteIdentifier(schema)}.plpgsql_check_function`;
}

/** Replaces a placeholder, which has no functions. Returns the schema of the function. */
async function createExtension(session: Session): Promise<string> {
  await session.batch([
    { text: 'drop extension if exists plpgsql_check' },
    { text: 'create extension plpgsql_check' },
  ]);
  const schema = await findCheck(session);
  if (schema !== undefined) return schema;
  throw new FunctionCheckError('the extension plpgsql_check of this database has no plpgsql_check_function.');
}

async function requireFiles(session: Session): Promise<void> {
  const [[found] = []] = await session.batch([
    { text: `select default_version as version from pg_available_extensions where name = 'plpgsql_check'` },
  ]);
  if (found === undefined)
    throw new FunctionCheckError(
      `db lint requires the extension plpgsql_check, which the server of this database does not have. Install it there, e.g. the package ${PACKAGE} of its version.`,
    );
  if (found.version === PLACEHOLDER_VERSION)
    throw new FunctionCheckError(
      `db lint requires the extension plpgsql_check, whose files this instance does not have. Add them: greenroom extensions add ${PACKAGE}`,
    );
}

/** Returns the schema of the function of the extension; undefined if the database has none. */
async function findCheck(session: Session): Promise<string | undefined> {
  const [[found] = []] = await session.batch([
    {
      text: `select n.nspname::text as schema
        from pg_extension e
        join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
          and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
        join pg_proc p on p.oid = d.objid
        join pg_namespace n on n.oid = p.pronamespace
        where e.extname = 'plpgsql_check' and p.proname = 'plpgsql_check_function'`,
    },
  ]);
  return found === undefined ? undefined : String(found.schema);
}

async function checkSchema(
  session: Session,
  { schema, check }: { schema: string; check: string },
): Promise<CheckedFunction[]> {
  const [rows = []] = await session.batch([
    {
      text: `select p.proname::text as name, ${check}(p.oid, format => 'json') as report
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        join pg_language l on l.oid = p.prolang
        where n.nspname = $1 and l.lanname = 'plpgsql' and p.prorettype <> 'trigger'::regtype
          and not exists (
            select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
          )
        order by p.proname, p.oid`,
      values: [schema],
    },
  ]);
  return rows
    .map(({ name, report }) => ({
      function: `${schema}.${name}`,
      issues: (JSON.parse(String(report)) as { issues: Issue[] }).issues,
    }))
    .filter(({ issues }) => issues.length > 0);
}
