/**
 * Plans the change of one schema to another, applies it to a copy, and compares again until nothing is left. So the
 * statements are known to work, and their result is known to be equal.
 */
import { openSession } from '@greenroom/postgres';
import { failedIndexOf } from '../sql/sql-file.ts';
import {
  type FormatOptions,
  type PlannedChange,
  type PlannedStatement,
  planStatements,
  readSchema,
} from './engine.ts';
import { SchemaDiffError } from './schema-diff-error.ts';
import { differingObjects, type UnmodelledObject } from './unmodelled.ts';

/** Options of {@link planChanges}. */
interface Comparison {
  /** Connection URL of a database of the caller's own. The statements are applied to it. */
  from: string;
  /** Connection URL of the database with the desired schema, which is only read. */
  to: string;
  /** Compare only these schemas. Default: all of the project. */
  schemas?: readonly string[] | undefined;
  format?: FormatOptions | undefined;
}

/** The difference of two schemas. */
export interface SchemaChanges {
  /** The statements, usually of one transaction. Later parts need the earlier ones to be committed. */
  parts: readonly (readonly PlannedStatement[])[];
  /** Whether the statements need `check_function_bodies = off`. */
  skipsBodyChecks: boolean;
  /** Objects that only one of the databases has, and that cannot be compared. */
  unmodelled: readonly UnmodelledObject[];
}

/** A plan may be incomplete once, e.g. if a grant on a table revokes one on a column that was not to change. */
const MAX_PASSES = 2;

/** unsafe_new_value_usage: a new value of an enum is used in the transaction that adds it. */
const NEW_ENUM_VALUE = '55P04';
/** active_sql_transaction: the statement runs only outside of transactions. */
const IN_TRANSACTION = '25001';

/**
 * Compares two databases. Afterwards, `from` has the schema of `to`. Throws {@link SchemaDiffError} if a statement fails, or
 * if a difference remains.
 */
export async function planChanges({ from, to, ...options }: Comparison): Promise<SchemaChanges> {
  const desired = await readSchema(to);
  let current = await readSchema(from);
  const unmodelled = differingObjects(current.unmodelled, desired.unmodelled, options.schemas);
  const parts: PlannedStatement[][] = [];
  let skipsBodyChecks = false;
  for (let pass = 1; ; pass++) {
    const change = planStatements(current, desired, options);
    if (change.statements.length === 0) return { parts, skipsBodyChecks, unmodelled };
    if (pass > MAX_PASSES) throw remainder(change);
    skipsBodyChecks ||= change.skipsBodyChecks;
    append(parts, await apply(from, change));
    current = await readSchema(from);
  }
}

/** Adds the statements of a pass; its first part continues the last part of the pass before. */
function append(parts: PlannedStatement[][], [first = [], ...rest]: PlannedStatement[][]): void {
  const last = parts.at(-1);
  if (last === undefined) parts.push(first);
  else last.push(...first);
  parts.push(...rest);
}

/** Applies statements in one transaction or, if PostgreSQL refuses that, in several ones, and returns these. */
async function apply(url: string, change: PlannedChange): Promise<PlannedStatement[][]> {
  const all = [...change.statements];
  const failure = await tryPart(url, all, change);
  if (failure === undefined) return [all];
  const parts = partsOf(all);
  if (parts.length === 1 || ![NEW_ENUM_VALUE, IN_TRANSACTION].includes(codeOf(failure.error)))
    throw refused(failure);
  for (const part of parts) {
    const partFailure = await tryPart(url, part, change);
    if (partFailure !== undefined) throw refused(partFailure);
  }
  return parts;
}

function partsOf(statements: readonly PlannedStatement[]): PlannedStatement[][] {
  const parts: PlannedStatement[][] = [];
  for (const statement of statements) {
    const part = parts.at(-1);
    if (part === undefined || statement.startsTransaction) parts.push([statement]);
    else part.push(statement);
  }
  return parts;
}

/** A statement that PostgreSQL refused. */
interface Failure {
  statement: PlannedStatement | undefined;
  error: Error;
}

/** Applies statements like a migration: all of them or none. Rejects if the connection fails. */
async function tryPart(
  url: string,
  statements: readonly PlannedStatement[],
  { skipsBodyChecks }: PlannedChange,
): Promise<Failure | undefined> {
  const session = await openSession({ url, applicationName: 'greenroom schema comparison' });
  try {
    if (skipsBodyChecks) await session.batch([{ text: 'set check_function_bodies = off' }]);
    await session.batch(statements.map(({ sql }) => ({ text: sql })));
    return undefined;
  } catch (error) {
    const index = failedIndexOf(error);
    if (index === undefined) throw error;
    return { statement: statements[index], error: error as Error };
  } finally {
    await session.close();
  }
}

function codeOf(error: Error): string {
  return (error as { code?: string }).code ?? '';
}

function refused({ statement, error }: Failure): SchemaDiffError {
  const lines = [`a planned statement fails on a copy of the schema: ${error.message}`, ...shown(statement)];
  return new SchemaDiffError(lines.join('\n'), { cause: error });
}

function remainder({ statements }: PlannedChange): SchemaDiffError {
  const lines = statements.flatMap(shown);
  return new SchemaDiffError(
    `these differences remain after ${MAX_PASSES} passes; write their statements by hand:\n${lines.join('\n')}`,
  );
}

function shown(statement: PlannedStatement | undefined): string[] {
  return statement === undefined ? [] : statement.sql.split('\n').map((line) => `  ${line}`);
}
