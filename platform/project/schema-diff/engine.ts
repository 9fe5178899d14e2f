/** Reads schemas and plans changes by pg-delta. No other module knows its plans. */
import type { FactBase, StableId } from '@supabase/pg-delta/core';
import { extract } from '@supabase/pg-delta/extract';
import { type Action, type Plan, plan } from '@supabase/pg-delta/plan';
import { formatSqlStatements, type SqlFormatOptions } from '@supabase/pg-delta/sql-format';
import pg from 'pg';
import { splitStatements } from '../sql/split.ts';
import { columnGrantsLast } from './column-grants.ts';
import { enumValuesFirst } from './enum-values.ts';
import { filePathOf } from './file-path.ts';
import { managedObjects, PROJECT_OWNER } from './managed-objects.ts';
import { withPlainNames } from './plain-names.ts';
import { SchemaDiffError } from './schema-diff-error.ts';
import { readUnmodelled, type UnmodelledObject } from './unmodelled.ts';

/** How statements are written: `experimental.pgdelta.format_options`. */
export type FormatOptions = SqlFormatOptions;

/** Keywords in lower case, as in the migrations of Greenroom's documentation. */
const DEFAULT_FORMAT: FormatOptions = { keywordCase: 'lower' };

/** The objects of a database at one moment. */
interface Schema {
  readonly facts: FactBase;
  readonly unmodelled: readonly UnmodelledObject[];
  /** Keywords of the server that are names only in quotes. */
  readonly keywords: ReadonlySet<string>;
}

const KEYWORDS = `select word from pg_catalog.pg_get_keywords() where catcode <> 'U'`;

/** A statement of a planned change. */
export interface PlannedStatement {
  /** Without a semicolon at the end. */
  sql: string;
  /** Whether it deletes data or an object. */
  isDestructive: boolean;
  /** Whether it needs the effects of earlier statements to be committed, or runs outside of transactions. */
  startsTransaction: boolean;
  /** File of a declarative schema that contains the object, e.g. `public/tables/notes.sql`. */
  filePath: string;
}

/** Statements in the order in which they can be applied. */
export interface PlannedChange {
  statements: readonly PlannedStatement[];
  /** Whether functions may refer to objects that later statements create. */
  skipsBodyChecks: boolean;
}

/** Options of {@link planStatements}. */
interface PlanOptions {
  /** Compare only these schemas. */
  schemas?: readonly string[] | undefined;
  format?: FormatOptions | undefined;
}

/** Reads the schema of a database in one read-only transaction. */
export async function readSchema(url: string): Promise<Schema> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'greenroom schema comparison',
  });
  pool.on('error', () => undefined);
  try {
    const { factBase: facts } = await extract(pool);
    const unmodelled = await readUnmodelled(
      async (text, values) => (await pool.query(text, [...values])).rows,
    );
    const { rows } = await pool.query<{ word: string }>(KEYWORDS);
    return { facts, unmodelled, keywords: new Set(rows.map(({ word }) => word)) };
  } finally {
    await pool.end();
  }
}

/**
 * Returns the statements that change one schema to the other. Throws {@link SchemaDiffError} if an object depends on another
 * one that is not compared.
 */
export function planStatements(from: Schema, to: Schema, { schemas, format }: PlanOptions): PlannedChange {
  const planned = planOf(from, to, schemas);
  const options = { ...DEFAULT_FORMAT, ...format };
  const actions = columnGrantsLast(enumValuesFirst(planned.actions));
  const statements = actions.flatMap((action, index) =>
    statementsOf(action, actions[index - 1]).map((statement) => ({
      ...statement,
      sql: withPlainNames(formatted(statement.sql, options), from.keywords),
    })),
  );
  return {
    statements,
    skipsBodyChecks: planned.preamble.some(({ name }) => name === 'check_function_bodies'),
  };
}

/** The formatter splits bodies such as `begin atomic …; end`; those stay as PostgreSQL writes them. */
function formatted(sql: string, options: FormatOptions): string {
  const [text = sql, ...others] = formatSqlStatements([sql], options);
  return others.length === 0 ? text : sql;
}

function planOf(from: Schema, to: Schema, schemas: readonly string[] | undefined): Plan {
  try {
    return plan(from.facts, to.facts, {
      policy: managedObjects(schemas),
      // Roles belong to the cluster, which other databases share.
      scope: 'database',
      defaultOwner: PROJECT_OWNER,
      assumedRoles: [...rolesOf(from), ...rolesOf(to)],
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw new SchemaDiffError(`the change cannot be planned: ${message}`, { cause });
  }
}

function rolesOf({ facts }: Schema): string[] {
  return facts.facts().flatMap(({ id }) => (id.kind === 'role' ? [id.name] : []));
}

/** An action may consist of several statements; only the first one starts a transaction. */
function statementsOf(action: Action, previous: Action | undefined): PlannedStatement[] {
  const isDestructive = action.verb === 'drop' || action.dataLoss === 'destructive';
  const startsTransaction =
    action.newSegmentBefore ||
    action.transactionality === 'nonTransactional' ||
    (previous !== undefined && previous.transactionality !== 'transactional');
  const filePath = filePathOf(subjectOf(action), tableOf(action));
  return splitStatements(action.sql).map(({ text: sql }, index) => ({
    sql,
    // Privileges can be granted again.
    isDestructive: isDestructive && !/^(?:revoke|grant|comment|alter default)\b/i.test(sql),
    startsTransaction: startsTransaction && index === 0,
    filePath,
  }));
}

function subjectOf({ produces, destroys, consumes }: Action): StableId | undefined {
  return produces[0] ?? destroys[0] ?? consumes[0];
}

/** The table of an index, whose id has only its schema. */
function tableOf({ consumes }: Action): StableId | undefined {
  return consumes.find(({ kind }) => kind === 'table' || kind === 'materializedView');
}
